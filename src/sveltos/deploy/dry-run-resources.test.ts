import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture } from "../../../test/support/deploy/deploy-fixture.ts";

const colour = (name: string, color: string) =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: demo}\ndata: {color: ${color}}\n`;
const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: demo}}";

test("a dry run reports changes as Sveltos does, and writes nothing", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(namespace, fixture.managed);
  await fixture.apply(sourceYaml("s", { a: colour("first", "yellow") + colour("brand-new", "red") + colour("same", "white") }));
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.apply(sourceYaml("s", { a: colour("first", "black") + colour("third", "1st") + colour("same", "white") }));
  fixture.written.length = 0;
  const { outcome } = await fixture.deploy(`syncMode: DryRun\n${policyRefsYaml("s")}`);
  assert.deepEqual(
    fixture.written.filter((line) => line.includes(" c1 ")),
    [],
  );
  assert.equal(outcome.status.featureSummaries?.[0]?.status, "Provisioning");
  const reports = outcome.report?.resourceReports ?? [];
  assert.deepEqual(
    reports.map(({ action, resource }) => `${action} ${resource.name}`),
    ["Update first", "Create third", "No Action same", "Delete brand-new"],
  );
  // The message of corpus/sveltos-recorded/09-clusterprofile/10-after.json.
  assert.equal(
    reports[0]?.message,
    "--- deployed: ConfigMap first\n+++ proposed: ConfigMap first\n@@ -1,7 +1,7 @@\n object:\n     apiVersion: v1\n     data:\n-        color: yellow\n+        color: black\n     kind: ConfigMap\n     metadata:\n         annotations:\n",
  );
  assert.deepEqual(reports[3]?.resource.owner, {});
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined, "and then it is done");
});

test("conflicts and errors are actions too", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("shared=1") }));
  await fixture.deploy(policyRefsYaml("one"), { name: "one" });
  await fixture.apply(sourceYaml("two", { a: configMapsYaml("shared=2") }));
  const { outcome } = await fixture.deploy(`syncMode: DryRun\n${policyRefsYaml("two")}`, { name: "two" });
  const [report] = outcome.report?.resourceReports ?? [];
  assert.equal(report?.action, "Conflict");
  assert.match(report.message ?? "", /ClusterProfile one;/);
});

test("what an earlier object of the profile brings first is no error", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(namespace, fixture.managed);
  const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: robot, namespace: demo}\n---\n";
  const pod =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: demo}\nspec: {serviceAccountName: robot, containers: [{name: c, image: nginx}]}\n";
  await fixture.apply(sourceYaml("s", { a: account + pod }));
  const { outcome } = await fixture.deploy(`syncMode: DryRun\n${policyRefsYaml("s")}`);
  assert.deepEqual(
    outcome.report?.resourceReports?.map(({ action, message = "", resource }) => `${action} ${resource.name}: ${message}`),
    ["Create robot: ", "Create p: will be checked after serviceaccount/robot"],
  );
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined, "and then it is done");
});
