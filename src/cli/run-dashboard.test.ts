import assert from "node:assert/strict";
import { test } from "node:test";
import { serveClusters, testFolder } from "../../test/support/command-line.ts";
import { plainPaint } from "../view/index.ts";
import { demo } from "./command/demo.ts";
import { run } from "./program.ts";

const folder = testFolder("run-dashboard");
const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { a: "b" } };
const file = folder.file("settings.yaml", JSON.stringify(object));
const job = { restartPolicy: "Never", containers: [{ name: "c", image: "app" }] };
const slow = folder.file(
  "slow.yaml",
  JSON.stringify({ apiVersion: "batch/v1", kind: "Job", metadata: { name: "slow" }, spec: { template: { spec: job } } }),
);

/** Signs in at the address that is printed, and reads the stream of the page until it ends. */
async function look(line: string): Promise<string> {
  const url = new URL(/http:\S+/.exec(line)?.[0] ?? "");
  const code = url.hash.replace("#code=", "");
  const headers = { "content-type": "application/json" };
  const signedIn = await fetch(`${url.origin}/api/session`, { method: "POST", headers, body: JSON.stringify({ code }) });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const stream = await fetch(`${url.origin}/api/stream?view=${encodeURIComponent(url.pathname)}`, { headers: { cookie } });
  return stream.text();
}

async function runWithPage(...args: readonly string[]): Promise<{ readonly code: number; readonly err: string; readonly page: string }> {
  const err: string[] = [];
  const page = Promise.withResolvers<string>();
  const onErr = (line: string) => {
    err.push(line);
    if (line.startsWith("dashboard ")) look(line).then(page.resolve, page.reject);
  };
  const code = await run(args, { out: () => undefined, err: onErr, paint: plainPaint });
  return { code, err: err.join("\n"), page: await page.promise };
}

test("deploy --dashboard shows the deploy to its end, and ends with it", async () => {
  const { code, page } = await runWithPage("deploy", "web", file, slow, "--embedded", "--dashboard");
  assert.equal(code, 0);
  assert.match(page, /"state":"pending-install"/);
  assert.match(page, /"state":"deployed"/);
  assert.match(page, /event: over\ndata: \{\}\n\n$/);
});

const chart = folder.file("chart/Chart.yaml", "apiVersion: v2\nname: app\nversion: 1.0.0\n").replace(/\/Chart\.yaml$/, "");
folder.file("chart/templates/a.yaml", 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata: {a: "{{ .Values.a }}"}\n');

test("install, upgrade and rollback show themselves to their end, and a dry run has nothing to show", async () => {
  const { kubeconfig, sluice } = await serveClusters(folder);
  const steps = [
    ["install", "app", chart, "--set", "a=1"],
    ["upgrade", "app", chart, "--set", "a=2"],
    ["rollback", "app", "1"],
  ];
  for (const [at, args] of steps.entries()) {
    const { code, err, page } = await runWithPage(...args, "--kubeconfig", kubeconfig, "--dashboard");
    assert.equal(code, 0, err);
    assert.match(err, /\/c\/[^/]+\/releases\/default\/app#code=/);
    assert.match(page, new RegExp(`"revision":${at + 1}\\b`));
    assert.match(page, /event: over\ndata: \{\}\n\n$/);
    const dry = await sluice(...args, "--dashboard", "--dry-run=server");
    assert.notEqual(dry.code, 0);
    assert.match(dry.err, /'--dashboard' cannot be used with option '--dry-run/);
  }
});

test("deploy --dashboard has the exit code of the deploy", async () => {
  const bad = folder.file("bad.yaml", JSON.stringify({ ...object, kind: "Nothing" }));
  const err: string[] = [];
  const code = await run(["deploy", "web", bad, "--embedded", "--dashboard", "-o", "ndjson"], {
    out: (line) => assert.ok(line.startsWith("{"), line),
    err: (line) => err.push(line),
    paint: plainPaint,
  });
  assert.notEqual(code, 0);
  assert.match(err[0] ?? "", /^dashboard http:\/\/127\.0\.0\.1:\d+\/c\/embedded\/releases\/default\/web#code=/);
});

test("demo --dashboard serves all three clusters until it is told to end", async () => {
  const stop = new AbortController();
  const contexts = Promise.withResolvers<readonly string[]>();
  const ask = async (line: string) => {
    const url = new URL(/http:\S+/.exec(line)?.[0] ?? "");
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ code: url.hash.replace("#code=", "") });
    const answer = (await (await fetch(`${url.origin}/api/session`, { method: "POST", headers, body })).json()) as {
      contexts: readonly { name: string }[];
    };
    contexts.resolve(answer.contexts.map(({ name }) => name));
  };
  const lines: string[] = [];
  const out = (line: string) => {
    lines.push(line);
    if (line.startsWith("The clusters and their dashboard stay")) void contexts.promise.then(() => stop.abort());
  };
  const err = (line: string) => void (line.startsWith("dashboard ") ? ask(line).catch(contexts.reject) : lines.push(line));
  const behaviour = [{ pull: "10ms", run: "10ms" }];
  assert.equal(await demo({ out, err, paint: plainPaint }, stop.signal, { dashboard: true, behaviour }), 0);
  assert.deepEqual(await contexts.promise, ["management", "east", "west"]);
  assert.match(lines.join("\n"), /Everything is healthy/);
});
