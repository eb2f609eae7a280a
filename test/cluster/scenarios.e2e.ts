import { after, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { perform, real, scenarios } from "../scenarios/index.ts";
import { environment } from "./end-to-end.ts";

const opened = await openCluster({ kubeconfig: process.env[environment.kubeconfig] ?? "" });
/** Set where somebody moves pods. */
const moves = process.env[environment.moves] === "yes";

after(() => opened.close());

// Each has a namespace of its own and names its cluster-wide objects after it.
describe("scenarios on a real cluster", { concurrency: 12, skip: moves ? false : "nobody moves pods here" }, () => {
  for (const [at, scenario] of scenarios.entries()) {
    test(
      scenario.name,
      async () => void (await perform(scenario, real(opened.exchange), `s${process.pid}x${String(at).padStart(3, "0")}`)),
    );
  }
});
