import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { usePlan, type SavedPlan } from "../../release/deploy/index.ts";
import type { RunProgress } from "../../release/index.ts";
import { readLeaseHolder } from "../../release/record/index.ts";
import { readMissingRights } from "../../release/rights/index.ts";
import { missingRightText } from "./missing-right-text.ts";
import type { ActionResult, ActionRunOptions } from "./proposed-action.ts";

/** As of the commands that deploy. */
const timeoutMs = 600_000;
const schedulingTimeoutMs = 120_000;

/** A dead holder's Lease expires within this time. Whoever holds it longer is alive, and changes what the plan was made from. */
const leasePatienceMs = 20_000;

/**
 * Runs exactly a saved plan. What was changed since it was made, somebody else who is at work and missing rights are refusals,
 * after which nothing was done.
 */
export async function runSavedPlan(saved: SavedPlan, cluster: Cluster, options: ActionRunOptions): Promise<ActionResult> {
  const run = new PlanRun(saved, cluster, options);
  try {
    return await run.toEnd();
  } catch (error) {
    return run.failure(error);
  } finally {
    run.close();
  }
}

type Done = Extract<RunProgress, { type: "done" }>;

class PlanRun {
  readonly #saved: SavedPlan;
  readonly #cluster: Cluster;
  readonly #options: ActionRunOptions;
  readonly #tooLate = new AbortController();
  #stopTimer: (() => void) | undefined;
  #hasBegun = false;
  #done: Done | undefined;

  constructor(saved: SavedPlan, cluster: Cluster, options: ActionRunOptions) {
    this.#saved = saved;
    this.#cluster = cluster;
    this.#options = options;
  }

  async toEnd(): Promise<ActionResult> {
    const { proposal } = this.#saved;
    const { signal: stop, identity, hasDied, onWaiting } = this.#options;
    const signal = AbortSignal.any([stop, this.#tooLate.signal]);
    const missing = await readMissingRights(proposal, this.#cluster, signal);
    if (missing.length > 0) return { state: "refused", because: missing.map(missingRightText).join(" ") };
    const recording = { onWarning: () => undefined };
    const how = { signal, identity, hasDied, timeoutMs, schedulingTimeoutMs, recording };
    for await (const event of usePlan(this.#saved, this.#cluster, how)) {
      if (event.type === "waiting" && event.id === "lease") this.#waitForHolder(event.because);
      if (event.type === "planned") {
        this.#hasBegun = true;
        this.close();
        onWaiting(undefined);
      }
      if (event.type === "done") this.#done = event;
    }
    return this.#result();
  }

  /** Why there is no result. A refusal names who is at work on the release, where somebody is. */
  async failure(error: unknown): Promise<ActionResult> {
    const { signal } = this.#options;
    const because = error instanceof Error ? error.message : String(error);
    if (signal.aborted) return this.#interrupted();
    if (this.#hasBegun) return { state: "failed", because };
    const holder = this.#tooLate.signal.aborted ? undefined : await this.#holder();
    return { state: "refused", because: holder === undefined ? because : `${because}. ${holder} is at work on the release.` };
  }

  close(): void {
    this.#stopTimer?.();
  }

  #waitForHolder(because: string): void {
    this.#options.onWaiting(because);
    this.#stopTimer?.();
    this.#stopTimer = this.#cluster.clock.after(leasePatienceMs, () =>
      this.#tooLate.abort(new Fault(`somebody else is at work on it: ${because}`)),
    );
  }

  async #holder(): Promise<string | undefined> {
    const { hasDied } = this.#options;
    const found = await readLeaseHolder(this.#cluster, this.#saved.proposal.release, { hasDied }).catch(() => undefined); // the refusal stands without it
    return found === undefined || found.silent ? undefined : found.name;
  }

  #result(): ActionResult {
    const { release, revision } = this.#saved.proposal;
    const { status = "stopped", because = "it has failed" } = this.#done ?? {};
    if (status === "stopped") return this.#interrupted();
    if (status === "failed") return { state: "failed", because };
    if (status === "deleted") return { state: "succeeded", because: `Release ${release.name} is deleted.` };
    return { state: "succeeded", because: `Revision ${revision.revision} of ${release.name} is ${status}.` };
  }

  #interrupted(): ActionResult {
    const { name } = this.#saved.proposal.release;
    if (!this.#hasBegun) return { state: "refused", because: "The dashboard ended before it began. Nothing was done." };
    return { state: "interrupted", because: `The dashboard ended before it was done. Carry it on from the page of ${name}.` };
  }
}
