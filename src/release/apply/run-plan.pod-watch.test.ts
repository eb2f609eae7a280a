import assert from "node:assert/strict";
import { test } from "node:test";
import { workloadItem, runAndLog, type PlanCluster } from "../../../test/support/run-log.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { keyOf } from "../../core/object/index.ts";
import { connect } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { parseBehaviour } from "../../embedded/behaviour/index.ts";

/** An embedded cluster whose pods are ready after a delay, and a log of its requests. */
async function recorded(readyAfter: string): Promise<PlanCluster & { readonly podWatches: number[] }> {
  const clock = new VirtualClock();
  const { behaviour } = parseBehaviour([{ match: { image: "*" }, schedule: "10ms", pull: "10ms", start: "10ms", ready: readyAfter }]);
  const { exchange } = startEmbeddedCluster({ clock, behaviour });
  const podWatches: number[] = [];
  const cluster = connect(
    (request) => {
      if (/\/(?:pods|events)\?.*watch=true/.test(request.path)) podWatches.push(clock.now());
      return exchange(request);
    },
    { clock, namespace: "shop" },
  );
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await clock.advance(1000);
  return { clock, cluster, podWatches };
}

test("the pods of a new workload that is soon ready are not watched", async () => {
  const at = await recorded("100ms");
  const log = await runAndLog(at, { desired: [workloadItem("Deployment", "web")] });
  assert.equal(log.lines.at(-1), "done deployed");
  assert.deepEqual(at.podWatches, []);
});

test("where what is new takes long its pods are followed", async () => {
  const at = await recorded("20s");
  const start = at.clock.now();
  await runAndLog(at, { desired: [workloadItem("Deployment", "web")] });
  assert.equal(at.podWatches.length, 1);
  assert.ok(at.podWatches[0]! - start < 1_000, `after ${at.podWatches[0]! - start} ms`);
});

test("of what is changed the pods are followed at once: old ones that go make room", async () => {
  const at = await recorded("20s");
  await runAndLog(at, { desired: [workloadItem("Deployment", "web")] });
  at.podWatches.length = 0;
  const start = at.clock.now();
  await runAndLog(at, { desired: [workloadItem("Deployment", "web", {}, "nginx:2")] });
  assert.equal(at.podWatches.length, 1);
  assert.ok(at.podWatches[0]! - start < 300, `after ${at.podWatches[0]! - start} ms`);
});

test("of what is deleted neither pods nor Events are watched, however long it takes", async () => {
  const at = await recorded("100ms");
  const web = workloadItem("Deployment", "web");
  await runAndLog(at, { desired: [web] });
  const live = await at.cluster.get(web.ref);
  await at.cluster.patch(web.ref, { type: "merge", patch: { metadata: { finalizers: ["example.com/slow"] } } });
  at.podWatches.length = 0;
  at.clock.after(20_000, () => void at.cluster.patch(web.ref, { type: "merge", patch: { metadata: { finalizers: null } } }));
  const facts = new Map([[keyOf(web.ref), { exists: true, uid: live.metadata.uid! }]]);
  const log = await runAndLog(at, { operation: "delete", desired: [], previous: [web], live: facts });
  assert.deepEqual(log.lines.slice(-2), ["finished await deployment/web: it is gone", "done deleted"]);
  assert.deepEqual(at.podWatches, []);
});
