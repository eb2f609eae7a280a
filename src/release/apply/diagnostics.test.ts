import assert from "node:assert/strict";
import { test } from "node:test";
import { workloadHook, workloadItem, startPlanCluster, runAndLog, tracked, type RunLog } from "../../../test/support/run-log.ts";
import type { OrderingConstraints, LogFilter, Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import type { StepProgress } from "../index.ts";

type Failed = Extract<StepProgress, { type: "failed" }>;
type Finished = Extract<StepProgress, { type: "finished" }>;

const lines = Array.from({ length: 15 }, (_, n) => ({ after: `${n * 10}ms`, line: `line ${n + 1}` }));
const behaviour = [
  {
    match: { image: "bad:*" },
    ready: "never",
    fail: { exitCode: 3, at: "1s" },
    logs: [...lines, { after: "500ms", line: "panic: no database" }],
  },
  { match: { image: "deaf:*" }, ready: "never", logs: ["listening on the wrong port"] },
  { match: { image: "job:*" }, logs: ["migrated 3 tables"] },
];
const lastTen = [...lines.slice(6).map(({ line }) => line), "panic: no database"];

function failedIn({ events }: RunLog): Failed {
  return events.find((event) => event.type === "failed")!;
}

async function failureOf(one: Ordered<DesiredManifest>): Promise<Failed> {
  return failedIn(await runAndLog(await startPlanCluster(behaviour), { desired: [one] }));
}

test("a crash loop shows the last lines of the run that crashed, its exit code and the warnings about its pod", async () => {
  const { because, logs, events } = await failureOf(workloadItem("Deployment", "web", {}, "bad:1"));
  assert.match(because, /container c crashes \(exit code 3, 3 restarts\)/);
  assert.deepEqual(
    logs?.map(({ container, lines: said }) => ({ container, said })),
    [{ container: "c", said: lastTen }],
  );
  assert.match(logs![0]!.pod, /^web-/);
  assert.match(events!.at(-1)!, /^pod web-\S+: BackOff: Back-off restarting failed container c .* \(\d+ times\)$/);
});

test("a Job that fails shows the lines of its pod", async () => {
  const { because, logs } = await failureOf(workloadHook("Job", "j", { install: ["pre"] }, {}, "bad:1"));
  assert.match(because, /BackoffLimitExceeded.*pod j-\S+: container c ended with exit code 3/);
  assert.deepEqual(logs?.[0]?.lines, lastTen);
});

test("a wait that times out shows the log of the container that is not ready", async () => {
  const { because, logs } = await failureOf(workloadItem("StatefulSet", "db", { timeoutMs: 30_000 }, "deaf:1"));
  assert.match(because, /^not there after 30 s: /);
  assert.deepEqual(logs, [{ pod: "db-0", container: "c", lines: ["listening on the wrong port"] }]);
});

test("an image that cannot be pulled has no log but events", async () => {
  const { logs, events } = await failureOf(workloadItem("Deployment", "web", {}, "registry.invalid/x:1"));
  assert.equal(logs, undefined);
  assert.ok(
    events!.some((text) => /^pod web-\S+: Failed: /.test(text)),
    events!.join("\n"),
  );
});

test("events that are no warnings are told apart, and only where an annotation asks for them", async () => {
  const plain = workloadItem("ConfigMap", "x").constraints.tracking.logs;
  const asked = await failureOf(workloadItem("Deployment", "web", tracked({ logs: { ...plain, events: true } }), "registry.invalid/x:1"));
  assert.match(asked.normalEvents?.join("\n") ?? "", /^pod web-\S+: (?:Scheduled|Pulling|BackOff): /);
  assert.match(asked.events?.join("\n") ?? "", /^pod web-\S+: Failed: /);
  const unasked = await failureOf(workloadItem("Deployment", "web", {}, "registry.invalid/x:1"));
  assert.equal(unasked.normalEvents, undefined);
});

const filters: readonly (readonly [string, Partial<LogFilter>, readonly string[] | undefined])[] = [
  ["no logs", { skip: true }, undefined],
  ["none of the container", { skipContainers: ["c"] }, undefined],
  ["none of any replica", { replicas: 0 }, undefined],
  ["lines that match", { keep: [{ pattern: "^(panic|line 2$)" }] }, ["line 2", "panic: no database"]],
  ["lines that do not", { drop: [{ pattern: "^line" }] }, ["panic: no database"]],
];

for (const [what, filter, expected] of filters) {
  test(`asked for ${what}, it shows that`, async () => {
    const plain = workloadItem("ConfigMap", "x").constraints.tracking.logs;
    const { logs } = await failureOf(workloadItem("Deployment", "web", tracked({ logs: { ...plain, ...filter } }), "bad:1"));
    assert.deepEqual(logs?.[0]?.lines, expected);
  });
}

function withPolicy(policy: string, image: string, constraints: Partial<OrderingConstraints> = {}): Ordered<DesiredManifest> {
  const { item: one, ...rest } = workloadHook("Job", "j", { install: ["pre"] }, constraints, image);
  const annotations = { "helm.sh/hook-output-log-policy": policy };
  return { ...rest, item: { object: { ...one.object, metadata: { ...one.object.metadata, annotations } } } };
}

test("a hook that asks for it shows its output when it has succeeded, before it is deleted", async () => {
  const log = await runAndLog(await startPlanCluster(behaviour), {
    desired: [withPolicy("hook-succeeded", "job:1", { deletePolicies: ["succeeded"] })],
  });
  const done = log.events.find((event): event is Finished => event.type === "finished" && event.verb === "await");
  assert.deepEqual(done?.logs?.[0]?.lines, ["migrated 3 tables"]);
});

test("a hook that asks for it shows all of its output when it has failed", async () => {
  const { logs } = await failureOf(withPolicy("hook-succeeded, hook-failed", "bad:1"));
  assert.equal(logs?.[0]?.lines.length, 16);
});

test("a success shows no logs unasked, and progress survives JSON", async () => {
  const log = await runAndLog(await startPlanCluster(behaviour), {
    desired: [workloadHook("Job", "j", { install: ["pre"] }), workloadItem("Deployment", "web", {}, "bad:1")],
  });
  assert.ok(log.events.every((event) => event.type !== "finished" || event.logs === undefined));
  assert.deepEqual(JSON.parse(JSON.stringify(log.events)), log.events);
});
