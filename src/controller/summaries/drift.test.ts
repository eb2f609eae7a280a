import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../../api/index.ts";
import { fieldsAt, listAt, stringAt } from "../../object/index.ts";
import { content, job, refs, source, SummaryLab } from "./fixture.test.ts";

const spec = `syncMode: ContinuousWithDriftDetection\n${refs("s")}`;
const configMap = (name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name });

test("what drifts is put back at once, and only with drift detection; our own writes are no drift", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  const managed = lab.fleet.managed("c1");
  const texts = { a: content("a=1 b=1"), i: content("i=1", { "projectsveltos.io/driftDetectionIgnore": "ok" }) };
  await lab.apply(source("s", { ...texts, j: job("short", {}, { ttlSecondsAfterFinished: 10 }) }));
  await lab.want("demo", spec);
  assert.equal(await lab.configMaps(), "a=1 b=1 i=1");
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  const ours = () => lab.fleet.written.filter((line) => line.startsWith("PATCH c1"));
  assert.equal(
    await lab.fleet.get({ group: "batch", version: "v1", kind: "Job", namespace: "default", name: "short" }, managed),
    undefined,
  );
  assert.deepEqual(ours(), [], "a Job whose time is over is no drift, and neither is what we wrote");
  await lab.apply(content("a=9 i=9"), "c1");
  await lab.fleet.until(managed.delete(configMap("b")));
  await lab.fleet.advance(100);
  assert.equal(await lab.configMaps(), "a=1 b=1 i=9");
  assert.equal((await lab.status("demo")).releases?.[0]?.revision, 1);
  await lab.apply(source("s", { ...texts, a: content("a=2 b=2") }));
  await lab.apply(content("a=9 i=9"), "c1");
  assert.equal(await lab.configMaps(), "a=2 b=2 i=9", "what came by an upgrade is watched as well");
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  assert.deepEqual(lab.fleet.written, []);
  await lab.want("demo", refs("s"));
  await lab.apply(content("a=9"), "c1");
  assert.equal(await lab.configMaps(), "a=9 b=2 i=9", "nobody looks any more");
});

test("a dry run has a ClusterReport that follows the cluster, until it is meant", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("first=yellow brand-new=1") }));
  await lab.want("dry", refs("s"));
  await lab.want("dry", `syncMode: DryRun\n${refs("s")}`);
  await lab.apply(source("s", { a: content("first=black third=1") }));
  const ref = { ...gvkOf("ClusterReport"), namespace: "mgmt", name: "dry--sveltos--c1" };
  const actions = async () =>
    listAt(await lab.fleet.get(ref), "status.resourceReports").map(
      (each) => `${stringAt(each, "action")} ${stringAt(each, "resource.name")}`,
    );
  const report = await lab.fleet.get(ref);
  // As corpus/sveltos-recorded/09-clusterprofile/10-after.json has it.
  assert.deepEqual(report?.metadata.labels, {
    "projectsveltos.io/cluster-name": "c1",
    "projectsveltos.io/cluster-profile-name": "dry",
    "projectsveltos.io/cluster-type": "Sveltos",
  });
  assert.deepEqual(fieldsAt(report, "spec"), { clusterName: "c1", clusterNamespace: "mgmt" });
  assert.deepEqual(
    report?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
    ["ClusterProfile dry"],
  );
  assert.equal(await lab.state("dry"), "Provisioning");
  assert.deepEqual(await actions(), ["Update first", "Create third", "Delete brand-new"]);
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  assert.deepEqual(lab.fleet.written, [], "the same report is not written again");
  await lab.apply(content("third=1"), "c1");
  assert.deepEqual(await actions(), ["Update first", "Update third", "Delete brand-new"]);
  await lab.want("dry", refs("s"));
  assert.equal(await lab.fleet.get(ref), undefined);
  assert.equal(await lab.configMaps(), "first=black third=1");
});
