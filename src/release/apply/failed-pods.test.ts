import assert from "node:assert/strict";
import { test } from "node:test";
import { workloadItem, startPlanCluster, runAndLog, tracked, type PlanCluster, type RunLog } from "../../../test/support/run-log.ts";
import { fieldsAt, refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { OrderingConstraints, Ordered } from "../order/index.ts";
import { item as anyItem } from "../../../test/support/plan/plan-notation.ts";
import type { DesiredManifest } from "../plan/index.ts";

/** The first failure, and its time in seconds after the start. */
function failure({ lines, at }: RunLog): { readonly text: string; readonly at: number } {
  const text = lines.find((line) => line.startsWith("failed ")) ?? "";
  return { text, at: at.get(text) ?? Number.NaN };
}

const full = [{ match: { image: "big:*" }, schedule: { never: "Insufficient cpu" } }];

for (const kind of ["Deployment", "StatefulSet", "Job"]) {
  test(`a pod of a ${kind} that no node takes is told at once, and is a failure after two minutes`, async () => {
    const log = await runAndLog(await startPlanCluster(full), {
      desired: [workloadItem(kind, "x", {}, "big:1"), workloadItem("ConfigMap", "next", { rank: 1 })],
    });
    assert.match(failure(log).text, /pod x-\S+ cannot be scheduled: 0\/1 nodes are available: 1 Insufficient cpu/);
    const told = log.lines.find((line) => line.startsWith("waiting ") && line.includes("Insufficient cpu")) ?? "";
    assert.ok(log.at.get(told)! < 1, `told after ${log.at.get(told)} s`);
    assert.equal(Math.floor(failure(log).at), 120);
    assert.match(log.lines.at(-1)!, /^done failed: /);
  });
}

for (const [what, constraints, options, seconds] of [
  ["the flag", {}, { schedulingTimeoutMs: 30_000 }, 30],
  ["the annotation", tracked({ schedulingTimeoutMs: 45_000 }), { schedulingTimeoutMs: 30_000 }, 45],
  ["the annotation, with 0s", tracked({ schedulingTimeoutMs: 0 }), {}, 0],
] as const) {
  test(`${what} says how long a pod may find no node`, async () => {
    const log = await runAndLog(
      await startPlanCluster(full),
      { desired: [workloadItem("Deployment", "x", constraints, "big:1")] },
      options,
    );
    assert.equal(Math.floor(failure(log).at), seconds, failure(log).text);
  });
}

test("a pod that is unschedulable for a moment does not fail the run", async () => {
  const at = await startPlanCluster();
  const { items } = await at.cluster.list({ group: "", version: "v1", kind: "Node" });
  const taints = [{ key: "example.com/starting", effect: "NoSchedule" }];
  const taint = (taints: unknown) =>
    Promise.all(items.map((node) => at.cluster.patch(refOf(node), { type: "merge", patch: { spec: { taints } } })));
  await taint(taints);
  at.clock.after(60_000, () => void taint(null));
  const log = await runAndLog(at, { desired: [workloadItem("Deployment", "x")] });
  assert.equal(log.lines.at(-1), "done deployed", log.lines.join("\n"));
  assert.ok(
    log.lines.some((line) => /^waiting await deployment\/x: .*cannot be scheduled: .*untolerated taint/.test(line)),
    log.lines.join("\n"),
  );
});

test("a volume that is still being bound is waited for", async () => {
  const at = await startPlanCluster([{ match: { kind: "PersistentVolumeClaim" }, bind: { after: "60s" } }]);
  const volume = { name: "data", persistentVolumeClaim: { claimName: "data" } };
  const claim = anyItem(
    "PersistentVolumeClaim",
    "data",
    { gates: [{ until: "applied" }] },
    {
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    },
  );
  const template = { metadata: { labels: { app: "db" } }, spec: { volumes: [volume], containers: [{ name: "c", image: "db:1" }] } };
  const db = anyItem("Deployment", "db", {}, { spec: { selector: { matchLabels: { app: "db" } }, template } });
  const log = await runAndLog(at, { desired: [claim, db] });
  assert.equal(log.lines.at(-1), "done deployed");
  assert.ok(log.lines.some((line) => line.includes("unbound immediate PersistentVolumeClaims")));
});

const quota: KubeObject = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "few", namespace: "shop" },
  spec: { hard: { pods: "0" } },
};

async function limited(pods: string): Promise<PlanCluster> {
  const at = await startPlanCluster();
  await at.cluster.apply({ ...quota, spec: { hard: { pods } } });
  await at.clock.advance(5_000);
  return at;
}

for (const kind of ["Deployment", "StatefulSet", "DaemonSet", "Job"]) {
  test(`a quota that denies a ${kind} its pods is a failure at once`, async () => {
    const log = await runAndLog(await limited("0"), { desired: [daemon(kind)] });
    assert.match(failure(log).text, /is forbidden: exceeded quota: few/);
    assert.ok(failure(log).at < 3, `after ${failure(log).at} s`);
  });
}

function daemon(kind: string) {
  if (kind !== "DaemonSet") return workloadItem(kind, "x");
  const { item: one } = workloadItem("Deployment", "x");
  return anyItem("DaemonSet", "x", {}, { ...one.object, apiVersion: "apps/v1", kind: "DaemonSet" });
}

function four(image: string): Ordered<DesiredManifest> {
  const { item: one, ...rest } = workloadItem("Deployment", "web", {}, image);
  return { ...rest, item: { object: { ...one.object, spec: { ...fieldsAt(one.object, "spec"), replicas: 4 } } } };
}

test("a rollout under a quota that leaves no room beside the old pods goes on as these go", async () => {
  const at = await limited("4");
  const first = await runAndLog(at, { desired: [four("a:1")] });
  assert.equal(first.lines.at(-1), "done deployed");
  const second = await runAndLog(at, { desired: [four("a:2")] });
  assert.equal(second.lines.at(-1), "done deployed");
});

test("a rollout on a node that has no room beside the old pods goes on as these go", async () => {
  const at = await startPlanCluster();
  const [node] = (await at.cluster.list({ group: "", version: "v1", kind: "Node" })).items;
  const cpu = Number(stringAt(node, "status.allocatable.cpu", ""));
  const quarter = (image: string): Ordered<DesiredManifest> => {
    const resources = { requests: { cpu: `${(cpu * 1000) / 4}m` } };
    const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image, resources }] } };
    return anyItem("Deployment", "web", {}, { spec: { replicas: 4, selector: { matchLabels: { app: "web" } }, template } });
  };
  const first = await runAndLog(at, { desired: [quarter("a:1")] });
  assert.equal(first.lines.at(-1), "done deployed");
  const second = await runAndLog(at, { desired: [quarter("a:2")] });
  assert.ok(second.lines.some((line) => line.includes("Insufficient cpu")));
  assert.equal(second.lines.at(-1), "done deployed");
});

test("after a quota was raised, what was denied before does not count", async () => {
  const at = await limited("0");
  await runAndLog(at, { desired: [workloadItem("StatefulSet", "db")] });
  await at.cluster.apply({ ...quota, spec: { hard: { pods: "5" } } });
  await at.clock.advance(2_000);
  const log = await runAndLog(at, { desired: [workloadItem("StatefulSet", "db")] });
  assert.equal(log.lines.at(-1), "done deployed");
});

test("so many pods without a place are allowed as failures are", async () => {
  const log = await runAndLog(await startPlanCluster(full), {
    desired: [workloadItem("Deployment", "x", { ...tracked({ failuresAllowedPerReplica: 1 }), timeoutMs: 60_000 }, "big:1")],
  });
  assert.equal(failure(log).at, 60);
});

test("a denial counts as a failure where failures are counted", async () => {
  const log = await runAndLog(await limited("0"), {
    desired: [workloadItem("StatefulSet", "db", tracked({ failuresAllowedPerReplica: 0 }))],
  });
  assert.match(failure(log).text, /exceeded quota: few.* \(1 failures, 0 allowed\)$/);
  assert.ok(failure(log).at < 3);
});

function probed(name: string, constraints: Partial<OrderingConstraints>): Ordered<DesiredManifest> {
  const readinessProbe = { httpGet: { port: 80 }, periodSeconds: 5 };
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "slow:1", readinessProbe }] } };
  return anyItem("Deployment", name, constraints, { spec: { selector: { matchLabels: { app: name } }, template } });
}

const probes: readonly (readonly [string, Partial<OrderingConstraints>, string, number | undefined])[] = [
  ["for longer than it may", tracked({ ignoreProbeFailuresMs: { c: 30_000 } }), "never", 36],
  ["no longer than it may", tracked({ ignoreProbeFailuresMs: { c: 60_000 } }), "45s", undefined],
  ["without a window of its own", { timeoutMs: 300_000 }, "never", 300],
  ["in another container than was meant", { ...tracked({ ignoreProbeFailuresMs: { d: 30_000 } }), timeoutMs: 300_000 }, "never", 300],
  [
    "as often as failures are allowed",
    { ...tracked({ ignoreProbeFailuresMs: { c: 30_000 }, failuresAllowedPerReplica: 1 }), timeoutMs: 300_000 },
    "never",
    300,
  ],
  ["once more than is allowed", tracked({ ignoreProbeFailuresMs: { c: 30_000 }, failuresAllowedPerReplica: 0 }), "never", 36],
];

for (const [what, constraints, ready, expected] of probes) {
  test(`a readiness probe that fails ${what}: ${expected === undefined ? "deployed" : `failed after ${expected} s`}`, async () => {
    const at = await startPlanCluster([{ match: { image: "slow:*" }, pull: "1s", ready: ready === "never" ? "never" : { after: ready } }]);
    const log = await runAndLog(at, { desired: [probed("web", constraints)] });
    if (expected === undefined) assert.equal(log.lines.at(-1), "done deployed");
    else assert.ok(Math.abs(failure(log).at - expected) < 2, `${failure(log).at} s: ${failure(log).text}`);
    if (expected === 36) assert.match(failure(log).text, /container c: its readiness probe fails for longer than 30 s/);
  });
}
