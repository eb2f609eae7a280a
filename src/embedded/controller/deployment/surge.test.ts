import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findCondition, numberAt } from "../../../core/object/index.ts";
import { EmbeddedTestCluster, appSelector, appPodTemplate } from "../../../../test/support/embedded/embedded-test-cluster.ts";

const limit = fc.oneof(
  fc.nat(4),
  fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`),
);

/** The API rejects two limits of zero. */
const rollouts = fc
  .record({
    replicas: fc.integer({ min: 1, max: 8 }),
    surge: limit,
    unavailable: limit,
    image: fc.constantFrom("app:2", "app:missing"),
    seed: fc.nat(1000),
  })
  .filter(({ surge, unavailable }) => Number.parseInt(`${surge}`) > 0 || Number.parseInt(`${unavailable}`) > 0);

/** What the limits come to, by the rule in the API's documentation: surge is rounded up, unavailability down, not both nothing. */
function allowed(replicas: number, surge: number | string, unavailable: number | string): { most: number; least: number } {
  const share = (value: number | string) => (typeof value === "number" ? value : (Number.parseInt(value) * replicas) / 100);
  const above = Math.ceil(share(surge));
  const below = Math.floor(share(unavailable));
  return { most: replicas + above, least: Math.max(0, replicas - (above === 0 && below === 0 ? 1 : below)) };
}

test("at no moment of an update are there more Pods than the surge allows or fewer available than promised", async () => {
  await fc.assert(
    fc.asyncProperty(rollouts, async ({ replicas, surge, unavailable, image, seed }) => {
      const cluster = new EmbeddedTestCluster({ seed });
      const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } };
      const spec = { replicas, selector: appSelector, strategy, template: appPodTemplate("app:1") };
      await cluster.create("deployments.apps", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec });
      await cluster.settle();
      await cluster.patch("deployments.apps", "web", { spec: { template: appPodTemplate(image) } });

      const { most, least } = allowed(replicas, surge, unavailable);
      for (let step = 0; step < 80; step++) {
        await cluster.clock.advance(250);
        const pods = (await cluster.list("pods")).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        const available = pods.filter((pod) => findCondition(pod, "Ready", "True") !== undefined);
        assert.ok(pods.length <= most, `${pods.length} Pods, at most ${most}`);
        assert.ok(available.length >= least, `${available.length} available, at least ${least}`);
      }
      if (image === "app:missing") return;
      await cluster.settle();
      assert.equal(numberAt(await cluster.read("deployments.apps", "web"), "status.updatedReplicas"), replicas);
    }),
    { numRuns: 25 },
  );
});
