/**
 * Releases as scenarios: what is deployed, upgraded, rolled back and deleted, what others do meanwhile, and what must then
 * be true of the cluster, of the story and of the records.
 *
 * The same scenarios are played on the embedded cluster in virtual time and on a real control plane. What happened is
 * taken from watches of the cluster and not from what the engine says of itself; expected orders are written by hand from
 * the documentation. A theatre can kill an operation at any point and play it again, and photograph what there is.
 */
export { scenarios } from "./scenarios.ts";
export { embeddedUnderTest, realUnderTest, type ClusterUnderTest } from "./cluster-under-test.ts";
export type { KillPoint } from "./killable-connection.ts";
export { runScenario, type ScenarioRun } from "./run-scenario.ts";
export type { Act, Expectation, ThirdPartyClient, Meanwhile, ReleaseScenario } from "./scenario.ts";
export type { ReleaseSnapshot } from "./release-snapshot.ts";
export { ScenarioRunner, type ActResult } from "./scenario-runner.ts";
