import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { Accuracy } from "../rehearsals/accuracy.ts";
import { runScenario, realUnderTest, scenarios } from "../scenarios/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const opened = await openCluster({ kubeconfig: process.env[environmentVariables.kubeconfig] ?? "" });
/** Set where the test kubelet runs. */
const hasKubelet = process.env[environmentVariables.hasKubelet] === "yes";
const skip = hasKubelet ? false : "the test kubelet does not run here";

after(() => opened.close());

const accuracy = new Accuracy();

// Each scenario has its own namespace and derives the names of cluster-scoped objects from it.
describe("scenarios on a real cluster, each deploy rehearsed before", { concurrency: 12, skip }, () => {
  for (const [at, scenario] of scenarios.entries()) {
    test(scenario.name, async () => {
      const underTest = realUnderTest(opened.exchange);
      const namespace = `s${process.pid}x${String(at).padStart(3, "0")}`;
      await runScenario(scenario, underTest, namespace, accuracy.observe(scenario, underTest));
    });
  }
});

test("deploys go as they were rehearsed", { skip }, () => {
  assert.ok(new Set(accuracy.rows.map(({ scenario }) => scenario)).size >= 40);
  const wrong = accuracy.rows.filter(({ differences }) => differences.length > 0);
  assert.equal(wrong.length, 0, accuracy.lines().join("\n"));
});
