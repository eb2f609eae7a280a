import assert from "node:assert/strict";
import { test } from "node:test";
import { runAndLog, startPlanCluster, workloadHook, workloadItem } from "../../../test/support/run-log.ts";

const behaviour = [{ match: { image: "long:*" }, run: "60s" }];
const jobRef = { group: "batch", version: "v1", kind: "Job", namespace: "shop", name: "migrate" };
const podKind = { group: "", version: "v1", kind: "Pod" };

test("a Job that is deleted before its end runs again, when what it had started is gone; one with a TTL fails", async () => {
  const at = await startPlanCluster(behaviour);
  const { clock, cluster } = at;
  const job = workloadHook("Job", "migrate", { install: ["pre"] }, {}, "long:1");
  const running = runAndLog(at, { desired: [job] });
  await clock.advance(10_000);
  const [pod] = (await cluster.list(podKind, { namespace: "shop" })).items;
  const podRef = { ...podKind, namespace: "shop", name: pod!.metadata.name };
  const finalizers = (some: readonly string[]) => cluster.patch(podRef, { type: "merge", patch: { metadata: { finalizers: some } } });
  await finalizers(["example.com/held"]);
  await cluster.delete(jobRef, { propagation: "background" });
  await clock.advance(40_000);
  assert.equal(await cluster.find(jobRef), undefined, "the pod of the first one is still there");
  await finalizers([]);
  const { lines } = await running;
  const waiting = lines.filter((line) => line.startsWith("waiting") && /deleted|gone/.test(line));
  assert.deepEqual(waiting, [
    "waiting await job/migrate: it was deleted; it is created again",
    `waiting await job/migrate: it is gone, but not pod/${pod!.metadata.name}`,
  ]);
  assert.equal(lines.at(-1), "done deployed");

  await clock.until(cluster.delete(jobRef, { propagation: "background" }));
  await clock.advance(60_000);
  const object = { ...job.item.object, spec: { ...(job.item.object["spec"] as object), ttlSecondsAfterFinished: 5 } };
  const second = runAndLog(at, { desired: [{ ...job, item: { ...job.item, object } }] });
  await clock.advance(10_000);
  await cluster.delete(jobRef, { propagation: "background" });
  assert.equal((await second).lines.at(-1), "done failed: job/migrate: it was deleted before it had run to its end");
});

test("a run that waits for nothing looks for nothing; one that waits finds what has vanished, however short it is", async () => {
  const reads: string[] = [];
  const at = await startPlanCluster([], (exchange) => (request) => {
    if (request.method === "GET" && request.path.includes("configmaps")) reads.push(request.path.replace(/.*namespaces\/shop\//, ""));
    return exchange(request);
  });
  const { clock, cluster } = at;
  const settings = workloadItem("ConfigMap", "settings");
  await runAndLog(at, { desired: [settings] });
  assert.deepEqual(reads, []);
  const web = workloadItem("ConfigMap", "web", { gates: [{ until: "properties", properties: [{ path: "$.data.done", value: "yes" }] }] });
  const running = runAndLog(at, { desired: [settings, web] });
  await clock.advance(100);
  await cluster.delete(settings.ref);
  await cluster.patch(web.ref, { type: "merge", patch: { data: { done: "yes" } } });
  const { at: times, lines } = await running;
  assert.ok(times.get("done deployed")! < 1, lines.join("\n"));
  assert.ok(lines.includes("waiting await configmap/settings: it was deleted; it is created again"), lines.join("\n"));
  assert.notEqual(await cluster.find(settings.ref), undefined);
});
