import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { plainPaint } from "../../view/index.ts";
import { exitCodeOf, faultText } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { demo, type DemoOptions } from "./demo.ts";

/** The demo in virtual time, which goes on by itself. */
function demoRun(onLine: (line: string) => void = () => {}) {
  const clock = new VirtualClock({ jump: true });
  const lines: string[] = [];
  const out = (text: string) => {
    lines.push(...text.split("\n"));
    onLine(text);
  };
  const terminal: Terminal = { out, err: out, paint: plainPaint };
  const run = (signal: AbortSignal, options: DemoOptions = {}, more: Partial<Terminal> = {}) =>
    demo({ ...terminal, ...more }, signal, { clock, ...options });
  return { clock, lines, run };
}

const { signal: forever } = new AbortController();

const event = /^ *([\d.]+)s {2}(east|west) {2}(.*)$/;

/** The lines about a cluster, without the times. */
function toldOf(cluster: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const [, , where, what = ""] = event.exec(line) ?? [];
    return where === cluster ? [what] : [];
  });
}

/** The table's rows: times and random names are left out. */
function rowsOf(lines: readonly string[]): readonly string[] {
  const rows = lines.filter((line) => line.startsWith("| default/"));
  return rows.map((row) => {
    const cells = row.split("|").map((cell) => cell.trim());
    assert.match(cells[6] ?? "", /^2030-01-01 \d\d:\d\d:\d\d \+0000 UTC$/);
    const [, cluster, type, namespace, name, version, , profile = ""] = cells;
    return [cluster, type, namespace, name, version, profile.replace(/^sveltos-[0-9a-z]{20}$/, "sveltos-<random>")].join(" | ");
  });
}

process.env["TZ"] = "UTC";

const progress = [
  "deployed   deployment/postgresql, service/postgresql, for ClusterProfile postgresql",
  "healthy    deployment/postgresql",
  "event      postgresql-deployment-health: deployment/postgresql matches",
  "deployed   job/todo-table, for EventTrigger deploy-insert-table-job",
  "succeeded  job/todo-table",
  "event      postgresql-job-completed: job/todo-table matches",
  "deployed   serviceaccount/todo-gitops, deployment/todo-gitops, service/todo-gitops, ingress/todo, for EventTrigger deploy-todo-app",
  "healthy    deployment/todo-gitops",
  "event      todo-app-health: deployment/todo-gitops matches",
  "deployed   job/todo-insert, for EventTrigger insert-data",
  "succeeded  job/todo-insert",
];

/** As seed 000 has them, and the Job that it ends with. */
const rows = (cluster: string) => [
  `${cluster} | apps:Deployment | todo | postgresql | N/A | postgresql`,
  `${cluster} | :Service | todo | postgresql | N/A | postgresql`,
  `${cluster} | batch:Job | todo | todo-table | N/A | sveltos-<random>`,
  `${cluster} | :ServiceAccount | todo | todo-gitops | N/A | sveltos-<random>`,
  `${cluster} | apps:Deployment | todo | todo-gitops | N/A | sveltos-<random>`,
  `${cluster} | :Service | todo | todo-gitops | N/A | sveltos-<random>`,
  `${cluster} | networking.k8s.io:Ingress | todo | todo | N/A | sveltos-<random>`,
  `${cluster} | batch:Job | todo | todo-insert | N/A | sveltos-<random>`,
];

test("each step follows from the one before, in both clusters, and the table has all of it", async () => {
  const { lines, run } = demoRun();
  assert.equal(await run(forever), 0);
  for (const cluster of ["east", "west"]) assert.deepEqual(toldOf(cluster, lines), progress);
  const times = lines.flatMap((line) => (event.test(line) ? [Number(event.exec(line)?.[1])] : []));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.ok(times.at(-1)! < 12, `its own time is short: ${times.at(-1)} s`);
  assert.match(lines.find((line) => line.includes("CLUSTER")) ?? "", /CLUSTER +\| +RESOURCE TYPE +\| NAMESPACE.*CLUSTER PROFILES/);
  assert.deepEqual(rowsOf(lines), [...rows("default/east"), ...rows("default/west")]);
  assert.match(lines.at(-1) ?? "", /^Everything is healthy after \d+\.\d s\./);
});

test("what never becomes healthy is named in the end, with exit code 1, and nothing that needs it is deployed", async () => {
  const { clock, lines, run } = demoRun();
  const startedAt = clock.now();
  const behaviour = [{ match: { kind: "Deployment", image: "postgres:*" }, ready: "never" }];
  const failure: unknown = await run(forever, { behaviour }).catch((error: unknown) => error);
  assert.equal(exitCodeOf(failure), 1);
  assert.deepEqual(faultText(failure).split("\n"), [
    "error: not everything is healthy after 2 minutes:",
    ...["east", "west"].flatMap((cluster) => [
      `  ${cluster}  deployment/postgresql: 0 of 1 replicas available`,
      `  ${cluster}  job/todo-table: not deployed yet`,
      `  ${cluster}  deployment/todo-gitops: not deployed yet`,
      `  ${cluster}  job/todo-insert: not deployed yet`,
    ]),
  ]);
  assert.equal(clock.now() - startedAt, 120_000);
  assert.deepEqual(toldOf("east", lines), progress.slice(0, 1));
});

test("a terminal shows what is waited for; Ctrl-C ends the demo and clears the live lines", async () => {
  const stop = new AbortController();
  const { clock, lines, run } = demoRun((line) => line.includes("healthy    deployment/postgresql") && stop.abort());
  const drawn: string[] = [];
  const screen = { write: (text: string) => void drawn.push(text), size: () => ({ columns: 60, lines: 40 }), onResize: () => () => {} };
  await assert.rejects(run(stop.signal, {}, { screen }), { name: "AbortError" });
  const seen = drawn.join("");
  assert.match(seen, /^.* {2}0\.5s {2}east {2}waiting {4}deployment\/postgresql: 0 of 1 repli$/m);
  assert.equal(drawn.at(-1), "\u001B[1A\u001B[2K\n\u001B[1A", "the last line of the picture is taken away");
  const printed = lines.length;
  assert.ok(await clock.settle(), "nothing is left that would go on");
  assert.equal(lines.length, printed);
});
