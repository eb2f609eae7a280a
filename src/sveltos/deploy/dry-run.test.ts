import assert from "node:assert/strict";
import { test } from "node:test";
import { content, refs, source } from "../../../test/support/addon-content.ts";
import { Lab } from "../../../test/support/deploy/lab.ts";

const colour = (name: string, color: string) =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: demo}\ndata: {color: ${color}}\n`;
const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: demo}}";

test("a dry run reports what would be, as Sveltos does, and touches nothing", async () => {
  const lab = await Lab.open();
  await lab.apply(namespace, lab.managed);
  await lab.apply(source("s", { a: colour("first", "yellow") + colour("brand-new", "red") + colour("same", "white") }));
  await lab.deploy(refs("s"));
  await lab.apply(source("s", { a: colour("first", "black") + colour("third", "1st") + colour("same", "white") }));
  lab.written.length = 0;
  const { outcome } = await lab.deploy(`syncMode: DryRun\n${refs("s")}`);
  assert.deepEqual(
    lab.written.filter((line) => line.includes(" c1 ")),
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
  assert.equal((await lab.deploy(refs("s"))).failure, undefined, "and then it is done");
});

test("conflicts and refusals are actions too", async () => {
  const lab = await Lab.open();
  await lab.apply(source("one", { a: content("shared=1") }));
  await lab.deploy(refs("one"), { name: "one" });
  await lab.apply(source("two", { a: content("shared=2") }));
  const { outcome } = await lab.deploy(`syncMode: DryRun\n${refs("two")}`, { name: "two" });
  const [report] = outcome.report?.resourceReports ?? [];
  assert.equal(report?.action, "Conflict");
  assert.match(report.message ?? "", /ClusterProfile one;/);
});
