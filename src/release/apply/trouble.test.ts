import assert from "node:assert/strict";
import { test } from "node:test";
import { item, lab, story, tracked, type Lab, type Told } from "../../../test/support/run-story.ts";
import { fieldsAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { Claims, Ordered } from "../order/index.ts";
import { item as anyItem } from "../../../test/support/plan/fixture.ts";
import type { Wanted } from "../plan/index.ts";

/** What failed first, and how many seconds after the start. */
function failure({ lines, at }: Told): { readonly text: string; readonly at: number } {
  const text = lines.find((line) => line.startsWith("failed ")) ?? "";
  return { text, at: at.get(text) ?? Number.NaN };
}

const full = [{ match: { image: "big:*" }, schedule: { never: "Insufficient cpu" } }];

for (const kind of ["Deployment", "StatefulSet", "Job"]) {
  test(`a pod of a ${kind} that no node takes is a failure at once`, async () => {
    const told = await story(await lab(full), { desired: [item(kind, "x", {}, "big:1"), item("ConfigMap", "next", { rank: 1 })] });
    assert.match(failure(told).text, /pod x-\S+ cannot be scheduled: 0\/1 nodes are available: 1 Insufficient cpu/);
    assert.ok(failure(told).at < 1, `after ${failure(told).at} s`);
    assert.match(told.lines.at(-1)!, /^done failed: /);
  });
}

test("a volume that is still being bound is waited for", async () => {
  const at = await lab([{ match: { kind: "PersistentVolumeClaim" }, bind: { after: "60s" } }]);
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
  const told = await story(at, { desired: [claim, db] });
  assert.equal(told.lines.at(-1), "done deployed");
  assert.ok(told.lines.some((line) => line.includes("unbound immediate PersistentVolumeClaims")));
});

const quota: KubeObject = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "few", namespace: "shop" },
  spec: { hard: { pods: "0" } },
};

async function limited(pods: string): Promise<Lab> {
  const at = await lab();
  await at.cluster.apply({ ...quota, spec: { hard: { pods } } });
  await at.clock.advance(5_000);
  return at;
}

for (const kind of ["Deployment", "StatefulSet", "DaemonSet", "Job"]) {
  test(`a quota that denies a ${kind} its pods is a failure at once`, async () => {
    const told = await story(await limited("0"), { desired: [daemon(kind)] });
    assert.match(failure(told).text, /is forbidden: exceeded quota: few/);
    assert.ok(failure(told).at < 3, `after ${failure(told).at} s`);
  });
}

function daemon(kind: string) {
  if (kind !== "DaemonSet") return item(kind, "x");
  const { item: one } = item("Deployment", "x");
  return anyItem("DaemonSet", "x", {}, { ...one.object, apiVersion: "apps/v1", kind: "DaemonSet" });
}

function four(image: string): Ordered<Wanted> {
  const { item: one, ...rest } = item("Deployment", "web", {}, image);
  return { ...rest, item: { object: { ...one.object, spec: { ...fieldsAt(one.object, "spec"), replicas: 4 } } } };
}

test("a rollout under a quota that leaves no room beside the old pods goes on as these go", async () => {
  const at = await limited("4");
  const first = await story(at, { desired: [four("a:1")] });
  assert.equal(first.lines.at(-1), "done deployed");
  const second = await story(at, { desired: [four("a:2")] });
  assert.equal(second.lines.at(-1), "done deployed");
});

test("a rollout on a node that has no room beside the old pods goes on as these go", async () => {
  const at = await lab();
  const [node] = (await at.cluster.list({ group: "", version: "v1", kind: "Node" })).items;
  const cpu = Number(stringAt(node, "status.allocatable.cpu", ""));
  const quarter = (image: string): Ordered<Wanted> => {
    const resources = { requests: { cpu: `${(cpu * 1000) / 4}m` } };
    const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image, resources }] } };
    return anyItem("Deployment", "web", {}, { spec: { replicas: 4, selector: { matchLabels: { app: "web" } }, template } });
  };
  const first = await story(at, { desired: [quarter("a:1")] });
  assert.equal(first.lines.at(-1), "done deployed");
  const second = await story(at, { desired: [quarter("a:2")] });
  assert.ok(second.lines.some((line) => line.includes("Insufficient cpu")));
  assert.equal(second.lines.at(-1), "done deployed");
});

test("after a quota was raised, what was denied before does not count", async () => {
  const at = await limited("0");
  await story(at, { desired: [item("StatefulSet", "db")] });
  await at.cluster.apply({ ...quota, spec: { hard: { pods: "5" } } });
  await at.clock.advance(2_000);
  const told = await story(at, { desired: [item("StatefulSet", "db")] });
  assert.equal(told.lines.at(-1), "done deployed");
});

test("so many pods without a place are allowed as failures are", async () => {
  const told = await story(await lab(full), {
    desired: [item("Deployment", "x", { ...tracked({ failuresAllowedPerReplica: 1 }), timeoutMs: 60_000 }, "big:1")],
  });
  assert.equal(failure(told).at, 60);
});

test("a denial counts as a failure where failures are counted", async () => {
  const told = await story(await limited("0"), { desired: [item("StatefulSet", "db", tracked({ failuresAllowedPerReplica: 0 }))] });
  assert.match(failure(told).text, /exceeded quota: few.* \(1 failures, 0 allowed\)$/);
  assert.ok(failure(told).at < 3);
});

function probed(name: string, claims: Partial<Claims>): Ordered<Wanted> {
  const readinessProbe = { httpGet: { port: 80 }, periodSeconds: 5 };
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "slow:1", readinessProbe }] } };
  return anyItem("Deployment", name, claims, { spec: { selector: { matchLabels: { app: name } }, template } });
}

const probes: readonly (readonly [string, Partial<Claims>, string, number | undefined])[] = [
  ["for longer than it may", tracked({ ignoreProbeFailuresMs: { c: 30_000 } }), "never", 36],
  ["no longer than it may", tracked({ ignoreProbeFailuresMs: { c: 60_000 } }), "45s", undefined],
  ["and nobody minds", { timeoutMs: 300_000 }, "never", 300],
  ["in another container than was meant", { ...tracked({ ignoreProbeFailuresMs: { d: 30_000 } }), timeoutMs: 300_000 }, "never", 300],
  [
    "as often as failures are allowed",
    { ...tracked({ ignoreProbeFailuresMs: { c: 30_000 }, failuresAllowedPerReplica: 1 }), timeoutMs: 300_000 },
    "never",
    300,
  ],
  ["once more than is allowed", tracked({ ignoreProbeFailuresMs: { c: 30_000 }, failuresAllowedPerReplica: 0 }), "never", 36],
];

for (const [what, claims, ready, expected] of probes) {
  test(`a readiness probe that fails ${what}: ${expected === undefined ? "deployed" : `failed after ${expected} s`}`, async () => {
    const at = await lab([{ match: { image: "slow:*" }, pull: "1s", ready: ready === "never" ? "never" : { after: ready } }]);
    const told = await story(at, { desired: [probed("web", claims)] });
    if (expected === undefined) assert.equal(told.lines.at(-1), "done deployed");
    else assert.ok(Math.abs(failure(told).at - expected) < 2, `${failure(told).at} s: ${failure(told).text}`);
    if (expected === 36) assert.match(failure(told).text, /container c: its readiness probe fails for longer than 30 s/);
  });
}
