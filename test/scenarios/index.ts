/**
 * Release scenarios: what is deployed, upgraded, rolled back and deleted, what third parties do meanwhile, and what
 * must then be true of the cluster, the progress and the records.
 *
 * The same scenarios run on the embedded cluster in virtual time and on a real control plane. Changes are observed by
 * watches and not taken from the engine's own progress; expected orders are written by hand from the documentation. A
 * scenario runner can kill an operation at any point, run it again, and take a snapshot of the cluster.
 */
export { scenarios } from "./scenarios.ts";
export { embeddedUnderTest, realUnderTest } from "./cluster-under-test.ts";
export type { KillPoint } from "./killable-connection.ts";
export { runScenario } from "./run-scenario.ts";
export type { ReleaseScenario } from "./scenario.ts";
export { ScenarioRunner, type ActResult } from "./scenario-runner.ts";
