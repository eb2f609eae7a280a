import { after, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { runScenario, realUnderTest, scenarios } from "../scenarios/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";

const opened = await openCluster({ kubeconfig: process.env[environmentVariables.kubeconfig] ?? "" });
/** Set where the test kubelet runs. */
const hasKubelet = process.env[environmentVariables.hasKubelet] === "yes";

after(() => opened.close());

// Each scenario has its own namespace and derives the names of cluster-scoped objects from it.
describe("scenarios on a real cluster", { concurrency: 12, skip: hasKubelet ? false : "the test kubelet does not run here" }, () => {
  for (const [at, scenario] of scenarios.entries()) {
    test(
      scenario.name,
      async () => void (await runScenario(scenario, realUnderTest(opened.exchange), `s${process.pid}x${String(at).padStart(3, "0")}`)),
    );
  }
});
