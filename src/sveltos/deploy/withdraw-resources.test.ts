import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture } from "../../../test/support/deploy/deploy-fixture.ts";

async function deployed(spec = ""): Promise<DeployFixture> {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=1") }));
  assert.equal((await fixture.deploy(`${spec}\n${policyRefsYaml("s")}`)).failure, undefined);
  return fixture;
}

test("WithdrawPolicies deletes the objects of the profile, and no others", async () => {
  const fixture = await deployed();
  await fixture.apply(configMapsYaml("c=9"), fixture.managed);
  const { outcome } = await fixture.withdraw(policyRefsYaml("s"));
  assert.equal(outcome.settled, true);
  assert.deepEqual(outcome.features, []);
  assert.equal(await fixture.configMaps(), "c=9");
  assert.deepEqual(outcome.status.releases, []);
});

test("LeavePolicies keeps the objects without ownership labels", async () => {
  const fixture = await deployed("stopMatchingBehavior: LeavePolicies");
  const { outcome } = await fixture.withdraw(`stopMatchingBehavior: LeavePolicies\n${policyRefsYaml("s")}`);
  assert.equal(outcome.settled, true);
  assert.equal(await fixture.configMaps(), "a=1 b=1");
  const { labels, annotations } = (await fixture.find("ConfigMap/default/a"))?.metadata ?? {};
  // As corpus/sveltos-recorded/09-clusterprofile/7-after.json has them.
  assert.deepEqual(labels, { "projectsveltos.io/reason": "Resources" });
  assert.equal(annotations?.["projectsveltos.io/owner-tier"], "100");
  assert.equal(annotations["projectsveltos.io/owner-name"], undefined);
  assert.notEqual(annotations["projectsveltos.io/hash"], undefined);
  assert.equal((await fixture.deploy(policyRefsYaml("s"), { name: "another" })).failure, undefined, "it is adopted again");
});

test("a profile in DryRun withdraws nothing", async () => {
  const fixture = await deployed();
  assert.equal((await fixture.withdraw(`syncMode: DryRun\n${policyRefsYaml("s")}`)).outcome.settled, true);
  assert.equal(await fixture.configMaps(), "a=1 b=1");
});

test("objects that Sveltos deployed are found by kind and label", async () => {
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
    const fixture = await DeployFixture.open();
    const old = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "old", namespace: "default", ...marks }, data: { v: "0" } };
    await fixture.until(fixture.managed.create(old));
    const summary = await fixture.summary(policyRefsYaml("s"));
    const status = {
      deployedGVKs: [{ featureID: "Resources", deployedGroupVersionKind: ["ConfigMap.v1."] }],
      featureSummaries: [{ featureID: "Resources", status: "Provisioned" }],
    };
    await fixture.until(fixture.hub.replace({ ...summary, status }, { subresource: "status" }));
    await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
    assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
    assert.equal(await fixture.configMaps(), "a=1");
  }
});
