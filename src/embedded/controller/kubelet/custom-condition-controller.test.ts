import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt, findCondition, numberAt } from "../../../core/object/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

// Nobody else writes to Deployments in a lab, so they can stand for any resource with a status.
const resource = "deployments.apps";

function create(harness: ControllerHarness, name: string): void {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: "c", image: "app:1" }] } };
  harness.create(resource, { metadata: { name }, spec: { selector: { matchLabels: { app: name } }, template } }, "apps/v1", "Deployment");
}

const rules: Record<string, object> = {
  "by the name of its CRD": { crd: resource, name: "cert" },
  "by its kind": { kind: "Deployment", name: "cert" },
};

for (const [name, match] of Object.entries(rules)) {
  test(`a resource comes to the conditions that a rule promises, ${name}`, async () => {
    const conditions = [
      { type: "Issuing", status: "True", after: "2s" },
      { type: "Ready", status: "True", after: "12s", reason: "Issued" },
    ];
    const harness = new ControllerHarness({ rules: [{ match, conditions }] });
    create(harness, "cert");
    create(harness, "other");
    await harness.clock.advance(5000);
    assert.equal(findCondition(harness.read(resource, "cert"), "Issuing")?.status, "True");
    assert.equal(findCondition(harness.read(resource, "cert"), "Ready"), undefined);
    await harness.settle();
    const ready = findCondition(harness.read(resource, "cert"), "Ready");
    assert.deepEqual([ready?.status, ready?.reason, ready?.lastTransitionTime], ["True", "Issued", "2030-01-01T00:00:12Z"]);
    assert.equal(numberAt(harness.read(resource, "cert"), "status.observedGeneration"), 1);
    assert.equal(findCondition(harness.read(resource, "other"), "Ready"), undefined);
  });
}

test("a resource that is changed comes to its conditions again, after the same delay", async () => {
  const harness = new ControllerHarness({
    rules: [{ match: { crd: resource }, conditions: [{ type: "Ready", status: "True", after: "40s" }] }],
  });
  create(harness, "cert");
  await harness.clock.advance(100_000);
  const live = harness.read(resource, "cert");
  harness.api.update(resource, { ...live, spec: { ...fieldsAt(live, "spec"), replicas: 3 } }, "test");
  const observed = () => numberAt(harness.read(resource, "cert"), "status.observedGeneration");
  await harness.clock.advance(35_000);
  assert.equal(observed(), 1);
  await harness.clock.advance(10_000);
  assert.equal(observed(), 2);
});
