import assert from "node:assert/strict";
import { test } from "node:test";
import { content, refs, source } from "../../../test/support/addon-content.ts";
import { Lab } from "../../../test/support/deploy/lab.ts";

async function deployed(spec = ""): Promise<Lab> {
  const lab = await Lab.open();
  await lab.apply(source("s", { a: content("a=1 b=1") }));
  assert.equal((await lab.deploy(`${spec}\n${refs("s")}`)).failure, undefined);
  return lab;
}

test("WithdrawPolicies removes what is the profile's, and nothing else", async () => {
  const lab = await deployed();
  await lab.apply(content("c=9"), lab.managed);
  const { outcome } = await lab.withdraw(refs("s"));
  assert.equal(outcome.settled, true);
  assert.deepEqual(outcome.features, []);
  assert.equal(await lab.configMaps(), "c=9");
  assert.deepEqual(outcome.status.releases, []);
});

test("LeavePolicies leaves the objects, without what says whose they are", async () => {
  const lab = await deployed("stopMatchingBehavior: LeavePolicies");
  const { outcome } = await lab.withdraw(`stopMatchingBehavior: LeavePolicies\n${refs("s")}`);
  assert.equal(outcome.settled, true);
  assert.equal(await lab.configMaps(), "a=1 b=1");
  const { labels, annotations } = (await lab.find("ConfigMap/default/a"))?.metadata ?? {};
  // As corpus/sveltos-recorded/09-clusterprofile/7-after.json has them.
  assert.deepEqual(labels, { "projectsveltos.io/reason": "Resources" });
  assert.equal(annotations?.["projectsveltos.io/owner-tier"], "100");
  assert.equal(annotations["projectsveltos.io/owner-name"], undefined);
  assert.notEqual(annotations["projectsveltos.io/hash"], undefined);
  assert.equal((await lab.deploy(refs("s"), { name: "another" })).failure, undefined, "it is adopted again");
});

test("a profile in DryRun withdraws nothing", async () => {
  const lab = await deployed();
  assert.equal((await lab.withdraw(`syncMode: DryRun\n${refs("s")}`)).outcome.settled, true);
  assert.equal(await lab.configMaps(), "a=1 b=1");
});

test("what Sveltos deployed is found by its kinds and marks", async () => {
  for (const marks of [
    {
      labels: { "projectsveltos.io/reference-name": "s" },
      ownerReferences: [{ apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", name: "demo", uid: "1" }],
    },
    {
      labels: { "projectsveltos.io/reason": "Resources" },
      annotations: { "projectsveltos.io/owner-kind": "ClusterProfile", "projectsveltos.io/owner-name": "demo" },
    },
  ]) {
    const lab = await Lab.open();
    const old = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "old", namespace: "default", ...marks }, data: { v: "0" } };
    await lab.until(lab.managed.create(old));
    const summary = await lab.summary(refs("s"));
    const status = {
      deployedGVKs: [{ featureID: "Resources", deployedGroupVersionKind: ["ConfigMap.v1."] }],
      featureSummaries: [{ featureID: "Resources", status: "Provisioned" }],
    };
    await lab.until(lab.hub.replace({ ...summary, status }, { subresource: "status" }));
    await lab.apply(source("s", { a: content("a=1") }));
    assert.equal((await lab.deploy(refs("s"))).failure, undefined);
    assert.equal(await lab.configMaps(), "a=1");
  }
});
