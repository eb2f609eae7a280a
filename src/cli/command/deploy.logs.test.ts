import assert from "node:assert/strict";
import { test } from "node:test";
import { testFolder, serveClusters } from "../../../test/support/command-line.ts";

const folder = testFolder("logs");
const rules = folder.file(
  "rules.yaml",
  [
    '- { match: { image: "bad:*" }, fail: { exitCode: 3, at: 100ms }, logs: ["panic: no database"] }',
    '- { match: { image: "good:*" }, logs: [one, two] }',
    '- { match: { image: "web:*" }, logs: [listening] }',
    '- { match: { image: "verbose:*" }, fail: { exitCode: 3, at: 100ms }, logs: [a, b, c, d, e, f, g, h] }',
  ].join("\n"),
);
const { sluice } = await serveClusters(folder, "--behaviour", rules, "--speed", "20");

const job = (name: string, annotations: Readonly<Record<string, string>>, image = "bad:1") =>
  JSON.stringify({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, annotations },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image }] } } },
  });

const policies: readonly Readonly<Record<string, string>>[] = [
  { "helm.sh/hook": "pre-install", "helm.sh/hook-delete-policy": "hook-failed" },
  { "werf.io/delete-policy": "failed" },
  { "kots.io/hook-delete-policy": "hook-failed" },
];

for (const [at, annotations] of policies.entries()) {
  test(`a failed Job with ${Object.values(annotations).join(" ")} is deleted, and its last lines are in the summary`, async () => {
    const { code, out, err } = await sluice("deploy", `r${at}`, folder.file(`${at}.yaml`, job(`bad-${at}`, annotations)));
    assert.equal(code, 1);
    assert.match(out, /deleted +job\/bad-\d/);
    assert.match(
      err,
      /^error: job\/bad-\d: .*BackoffLimitExceeded.*; what was done stays\.\nFailed:\n {2}job\/bad-\d\n(?: {4}warning: .*\n)* {4}last lines of bad-\S+, container c:\n {6}panic: no database/,
    );
  });
}

const hook = { "helm.sh/hook": "pre-install,test", "helm.sh/hook-delete-policy": "hook-succeeded" };
const web = JSON.stringify({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "web:1" }] } },
  },
});
const source = folder.file("good.yaml", `${job("good", hook, "good:1")}\n---\n${web}`);

test("what a hook writes is printed while it runs, and what a workload writes on demand", async () => {
  const { code, out } = await sluice("deploy", "good", source);
  assert.equal(code, 0);
  assert.match(out, /log +job\/good in default, good-\w+\/c: one\n.*log +job\/good in default, good-\w+\/c: two\n.*done +job\/good/);
  assert.doesNotMatch(out, /listening/);
  assert.match((await sluice("test", "good")).out, /c: one\n.*c: two\n/);
  const all = await sluice("deploy", "all", source, "-n", "all", "--create-namespace", "--follow-logs");
  assert.match(all.out, /log +deployment\/web in all, web-\w+-\w+\/c: listening/);
});

test("--no-logs prints none of it, and does not go with --follow-logs", async () => {
  const { code, out } = await sluice("apply", source, "--no-logs", "-n", "default");
  assert.deepEqual([code, /\blog\b/.test(out)], [0, false]);
  const both = await sluice("deploy", "x", source, "--no-logs", "--follow-logs");
  assert.equal(both.code, 2);
  assert.match(both.err, /'--follow-logs' cannot be used with option '--no-logs'/);
});

test("-o ndjson has an event for each line", async () => {
  const { out } = await sluice("test", "good", "-o", "ndjson");
  const events = out.split("\n").map((line): Record<string, unknown> => JSON.parse(line));
  const lines = events.filter(({ type }) => type === "log");
  assert.deepEqual(
    lines.map(({ line, container, release }) => ({ line, container, release })),
    ["one", "two"].map((line) => ({ line, container: "c", release: "good" })),
  );
  assert.match(String(lines[0]!["loggedAt"]), /^\d{4}-\d\d-\d\dT/);
});

test("the summary of a failure repeats the last lines of what was printed only", async () => {
  const { out, err } = await sluice("deploy", "verbose", folder.file("verbose.yaml", job("verbose", {}, "verbose:1")));
  assert.match(out, /\/c: a\n[^]*\/c: h\n/);
  assert.match(err, /last lines of verbose-\S+, container c:\n {6}d\n {6}e\n {6}f\n {6}g\n {6}h$/);
});
