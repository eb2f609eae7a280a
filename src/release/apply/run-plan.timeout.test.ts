import assert from "node:assert/strict";
import { test } from "node:test";
import { findObject, workloadHook, workloadItem, startPlanCluster, runAndLog, type RunLog } from "../../../test/support/run-log.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { item as anyItem } from "../../../test/support/plan/plan-notation.ts";

const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "shop" } };
const unserved = (more = {}) => anyItem("Widget", "w", { waitForKind: true, ...more }, widget);
const held = { metadata: { finalizers: ["example.com/hold"] } };

function timesOf({ lines, at }: RunLog): Record<string, number | undefined> {
  const ends = lines.filter((line) => /^(failed|skipped|done)/.test(line));
  return Object.fromEntries(ends.map((line) => [line, at.get(line)]));
}

test("an object's time-out covers the wait for its kind", async () => {
  const log = await runAndLog(await startPlanCluster(), {
    desired: [unserved({ timeoutMs: 20_000 }), workloadItem("ConfigMap", "next", { rank: 1 })],
  });
  const because = "not applied after 20 s: the cluster does not serve Widget yet";
  assert.deepEqual(timesOf(log), {
    [`failed apply widget/w: ${because}`]: 20,
    "skipped await widget/w: widget/w failed": 20,
    "skipped apply configmap/next: widget/w failed": 20,
    "skipped await configmap/next: widget/w failed": 20,
    [`done failed: widget/w: ${because}`]: 20,
  });
});

const job = (more = {}) => workloadHook("Job", "h", { install: ["pre"] }, more);

test("an object's time-out covers the old one that does not go", async () => {
  const at = await startPlanCluster();
  await runAndLog(at, { desired: [job()] });
  await at.cluster.patch(job().ref, { type: "merge", patch: held });
  const log = await runAndLog(at, { desired: [job({ timeoutMs: 20_000 })] });
  const [line, when] = Object.entries(timesOf(log))[0]!;
  assert.match(
    line,
    /^failed apply job\/h: not applied after 20 s: the old one is to go first: being deleted, kept by .*example\.com\/hold/,
  );
  assert.equal(when, 20);
});

test("when the time for all is up, whatever goes on has failed, with what it waited for last", async () => {
  const at = await startPlanCluster([{ match: { name: "slow-*" }, ready: "never" }]);
  const log = await runAndLog(
    at,
    { desired: [workloadItem("Deployment", "slow"), unserved(), workloadItem("ConfigMap", "next", { rank: 1 })] },
    { timeoutMs: 60_000 },
  );
  const because = "the time is up after 60 s: the cluster does not serve Widget yet";
  assert.equal(log.at.get(`failed apply widget/w: ${because}`), 60);
  assert.ok(
    log.lines.some((line) =>
      line.startsWith("failed await deployment/slow: the time is up after 60 s: 0 of 1 replicas available; pod slow-"),
    ),
  );
  assert.ok(log.lines.includes("skipped apply configmap/next: widget/w failed"));
  assert.match(log.lines.at(-1)!, /^done failed/);
  const begun = log.lines.filter((line) => line.startsWith("started")).length;
  assert.equal(log.lines.filter((line) => /^(finished|failed)/.test(line)).length, begun, log.lines.join("\n"));
});

test("what cleans up when the time is up does not go on for ever", async () => {
  const at = await startPlanCluster([{ match: { kind: "Job" }, run: "1h" }]);
  const failing = job({ deletePolicies: ["failed"] });
  at.clock.after(30_000, () => void at.cluster.patch(failing.ref, { type: "merge", patch: held }));
  const log = await runAndLog(at, { desired: [failing] }, { timeoutMs: 60_000 });
  assert.match(log.lines.at(-1)!, /^done failed: job\/h: the time is up after 60 s: 0 of 1 completions/);
  assert.equal(log.at.get(log.lines.at(-1)!), 90);
  assert.notEqual(await findObject(at, "Job", "h"), undefined);
});

test("a run that is done in time leaves nothing behind", async () => {
  const at = await startPlanCluster();
  const log = await runAndLog(at, { desired: [workloadItem("ConfigMap", "c", { timeoutMs: 20_000 })] }, { timeoutMs: 60_000 });
  const end = at.clock.now();
  await at.clock.settle();
  assert.equal(log.lines.at(-1), "done deployed");
  assert.ok(at.clock.now() - end < 20_000);
});
