import type { KubeObject } from "../../core/object/index.ts";
import { deploy, type DeployOptions, type DeployRequest } from "../deploy/index.ts";
import type { Progress } from "../index.ts";
import { openRehearsal, type Rehearsal, type RehearsalOptions } from "./open-rehearsal.ts";
import type { Snapshot } from "./snapshot.ts";
import { nothingWrong } from "./what-if.ts";

/** An event of a rehearsed run, in virtual time. */
type TimedProgress = { readonly atMs: number; readonly event: Progress };

/** How a rehearsed run went. */
export type RehearsedRun = {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly progress: readonly TimedProgress[];
  /** Objects of the snapshot whose kinds an embedded cluster does not serve. */
  readonly unserved: readonly KubeObject[];
  /** What was thrown instead of a result: the deploy is refused before it changes anything. */
  readonly refusal?: unknown;
};

export type RehearseOptions = RehearsalOptions & { readonly deploy: Omit<DeployOptions, "identity" | "hasDied" | "leaseDurationMs"> };

/** Deploys in a cluster that is as the snapshot says, and returns when what happened. */
export async function rehearse(request: DeployRequest, snapshot: Snapshot, options: RehearseOptions): Promise<RehearsedRun> {
  const rehearsal = openRehearsal(snapshot, options);
  try {
    return await rehearseIn(rehearsal, request, options);
  } finally {
    rehearsal.close();
  }
}

/** Deploys in a rehearsal that is open. */
export function rehearseIn(rehearsal: Rehearsal, request: DeployRequest, options: RehearseOptions): Promise<RehearsedRun> {
  const { cluster } = rehearsal.newClient();
  return followRun(deploy(request, cluster, rehearsedAs("rehearsal", options)), rehearsal, options.deploy.signal);
}

/**
 * The options of a rehearsed operation. Nobody else waits for its Lease, which is renewed a few times a day: an hour of usual
 * renewals is a tenth of all writes. Where requests fail, renewals are a part of what is rehearsed.
 */
export function rehearsedAs(identity: string, { deploy: how, whatIf = nothingWrong }: RehearseOptions): DeployOptions {
  return { ...how, identity, ...(whatIf.apiErrors > 0 ? {} : { leaseDurationMs: 24 * 3_600_000 }) };
}

/** Follows a run to its end, in virtual time. */
export async function followRun(run: AsyncIterable<Progress>, { clock, unserved }: Rehearsal, signal: AbortSignal): Promise<RehearsedRun> {
  const startedAtMs = clock.now();
  const progress: TimedProgress[] = [];
  try {
    for await (const event of run) progress.push({ atMs: clock.now(), event });
    return { startedAtMs, endedAtMs: clock.now(), progress, unserved };
  } catch (refusal) {
    if (signal.aborted) throw refusal;
    return { startedAtMs, endedAtMs: clock.now(), progress, unserved, refusal };
  }
}

/** How the run ended. */
export function endOf({ progress }: RehearsedRun): Extract<Progress, { type: "done" }> | undefined {
  return progress.map(({ event }) => event).findLast((event) => event.type === "done");
}
