import { createHash } from "node:crypto";
import { runAgent } from "../../../src/sveltos/agent/index.ts";
import { keepEvents, keepProfiles, keepSummaries, keepTriggers, type Desk } from "../../../src/sveltos/controllers/index.ts";
import { keepSets } from "../../../src/sveltos/fleet/index.ts";
import type { Crew } from "./play.ts";

const sets = ({ hub, fleet }: Desk, signal: AbortSignal) => keepSets(hub, fleet, signal);

/** The controllers of the management side, and an agent in each managed cluster. */
export const crew: Crew = async (lab, { charts, clusters }) => {
  const surroundings = { now: () => lab.clock.now(), randomBytes: differentBytes() };
  const keepers = [keepEvents, keepTriggers, keepProfiles, keepSummaries].map(
    (keep) => (desk: Desk, signal: AbortSignal) => keep({ ...desk, charts, surroundings }, signal),
  );
  const agents = clusters.map(
    (name) => (_: Desk, signal: AbortSignal) => runAgent(lab.managed(name), { identity: `agent of ${name}` }, signal),
  );
  await lab.run(...agents, sets, ...keepers);
};

/** Random bytes that are the same in every run, and never twice the same in one. */
function differentBytes(): (count: number) => Uint8Array {
  let calls = 0;
  return (count) => createHash("sha512").update(`chance ${calls++}`).digest().subarray(0, count);
}
