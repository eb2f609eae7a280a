import { createHash } from "node:crypto";
import { runAgent } from "../../../src/sveltos/agent/index.ts";
import {
  runEventSourceController,
  runProfileController,
  runSummaryController,
  runTriggerController,
  type ControllerContext,
} from "../../../src/sveltos/controllers/index.ts";
import { runClusterSetController } from "../../../src/sveltos/fleet/index.ts";
import type { StartControllers } from "./run-recorded-scenario.ts";

const sets = ({ hub, fleet }: ControllerContext, signal: AbortSignal) => runClusterSetController(hub, fleet, signal);

/** Starts the controllers of the management cluster, and an agent in each managed one. */
export const startControllers: StartControllers = async (fleet, { charts, clusters }) => {
  const environment = { now: () => fleet.clock.now(), randomBytes: differentBytes() };
  const controllers = [runEventSourceController, runTriggerController, runProfileController, runSummaryController].map(
    (run) => (context: ControllerContext, signal: AbortSignal) => run({ ...context, charts, environment }, signal),
  );
  const agents = clusters.map(
    (name) => (_: ControllerContext, signal: AbortSignal) => runAgent(fleet.managed(name), { identity: `agent of ${name}` }, signal),
  );
  await fleet.run(...agents, sets, ...controllers);
};

/** Random bytes that are the same in every run, and differ from call to call. */
function differentBytes(): (count: number) => Uint8Array {
  let calls = 0;
  return (count) => createHash("sha512").update(`chance ${calls++}`).digest().subarray(0, count);
}
