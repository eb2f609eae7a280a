import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, fieldsAt } from "../../../core/object/index.ts";
import { EmbeddedTestCluster, appSelector, appPodTemplate } from "../../../../test/support/embedded/embedded-test-cluster.ts";

const budgets = "poddisruptionbudgets.policy";

function budget(spec: object): object {
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web" }, spec: { selector: appSelector, ...spec } };
}

function deployment(replicas: number): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas, selector: appSelector, template: appPodTemplate("app:1") },
  };
}

const rows: readonly (readonly [string, object, number, { desired: number; allowed: number; reason: string }])[] = [
  ["one may be away", { maxUnavailable: 1 }, 3, { desired: 2, allowed: 1, reason: "SufficientPods" }],
  ["a share may be away, rounded up", { maxUnavailable: "30%" }, 4, { desired: 2, allowed: 2, reason: "SufficientPods" }],
  ["two must be there", { minAvailable: 2 }, 2, { desired: 2, allowed: 0, reason: "InsufficientPods" }],
  ["half must be there, rounded up", { minAvailable: "50%" }, 3, { desired: 2, allowed: 1, reason: "SufficientPods" }],
];

for (const [name, spec, replicas, { desired, allowed, reason }] of rows) {
  test(`of ${replicas} Pods ${name}`, async () => {
    const cluster = new EmbeddedTestCluster();
    await cluster.create(budgets, budget(spec));
    await cluster.create("deployments.apps", deployment(replicas));
    await cluster.settle();
    const found = await cluster.read(budgets, "web");
    assert.partialDeepStrictEqual(fieldsAt(found, "status"), {
      currentHealthy: replicas,
      desiredHealthy: desired,
      disruptionsAllowed: allowed,
      expectedPods: replicas,
      observedGeneration: 1,
    });
    assert.equal(findCondition(found, "DisruptionAllowed")?.reason, reason);
  });
}

test("a budget for no Pods is counted too", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(budgets, budget({ minAvailable: 1 }));
  await cluster.settle();
  assert.partialDeepStrictEqual(fieldsAt(await cluster.read(budgets, "web"), "status"), { expectedPods: 0, disruptionsAllowed: 0 });
});
