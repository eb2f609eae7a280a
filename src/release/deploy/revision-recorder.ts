import type { Cluster } from "../../kube/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { RecordAction, Step } from "../plan/index.ts";
import type { StepProgress } from "../index.ts";
import {
  asDeleted,
  asDeleting,
  failureDescription,
  historyLimit,
  historyOf,
  withState,
  withHookRun,
  type History,
  type HookEvent,
  type HookPhase,
  type RecordedFailure,
  type Revision,
} from "../record/index.ts";
import { isRedeploy } from "./redeploy-description.ts";
import { hookEventOf, hookIndexOf } from "../prepare/index.ts";
import type { Proposal } from "./proposal.ts";

export type RecordOptions = {
  /** How many revisions to keep. Default: Helm's limit; 0 keeps all. */
  readonly historyMax?: number;
  /** What the record of a deploy or of a deletion says when it has ended well. Default: Helm's words. */
  readonly description?: string;
  /** Keeps the records of a deleted release. Default false. */
  readonly keepHistory?: boolean;
  /** Annotations of the records that are written. Default: those that they have. */
  readonly annotations?: Readonly<Record<string, string>>;
};

/** Supersedes all other deployed revisions and prunes the history. */
export async function pruneHistory(
  history: History,
  deployed: Revision,
  { historyMax = historyLimit }: RecordOptions,
  signal: AbortSignal,
): Promise<void> {
  await history.supersede(deployed, { signal });
  await history.prune(deployed, historyMax, { signal });
}

/** Writes the record of one operation from pending to its end, with the runs of its hooks. `cluster` writes only while the Lease is held. */
export class RevisionRecorder {
  readonly #proposal: Proposal;
  readonly #cluster: Cluster;
  readonly #options: RecordOptions;
  readonly #history: History;
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #startedAt = new Map<string, string>();
  /** By the object: one that could not be applied is not awaited, but each counts once in any case. */
  readonly #failures = new Map<string, RecordedFailure>();
  #revision: Revision;
  #isPurged = false;

  constructor(proposal: Proposal, cluster: Cluster, options: RecordOptions) {
    this.#proposal = proposal;
    this.#cluster = cluster;
    this.#options = options;
    this.#history = historyOf(cluster);
    this.#steps = new Map(proposal.plan.steps.map((step) => [step.id, step]));
    this.#revision = proposal.revision;
  }

  /** The revision as it was last written. */
  get revision(): Revision {
    return this.#revision;
  }

  /** The records of the release were deleted with it. */
  get isPurged(): boolean {
    return this.#isPurged;
  }

  /** Writes the record that a record step asks for. */
  readonly record = async ({ state, hook }: RecordAction, signal: AbortSignal): Promise<void> => {
    if (hook !== undefined) {
      this.#noteHook(hook.ref, hookEventOf(this.#proposal.operation, hook.stage), "Succeeded");
      return this.#save(this.#revision, signal);
    }
    switch (state) {
      case "deployed":
        return this.#deployed(signal);
      case "failed":
        return this.#save(withState(this.#revision, "failed", this.#failureText()), signal);
      case "uninstalling":
        return this.#save(asDeleting(this.#revision, this.#now()), signal);
      case "uninstalled":
        return this.#uninstalled(signal);
      default:
        return this.#begun(signal);
    }
  };

  /** Collects what later records store: when hooks start and end, and what failed. */
  onProgress(event: StepProgress): void {
    const step = event.id === undefined ? undefined : this.#steps.get(event.id);
    if (event.type === "failed" && !this.#failures.has(keyOf(event.ref)))
      this.#failures.set(keyOf(event.ref), { ref: event.ref, because: event.because });
    if (step?.hook !== true || event.verb === "delete" || event.verb === "record") return;
    const { operation } = this.#proposal;
    const ended = (phase: HookPhase) => this.#noteHook(event.ref, hookEventOf(operation, step.stage), phase);
    if (event.type === "started" && event.verb === "apply") this.#startedAt.set(keyOf(event.ref), this.#now());
    if (event.type === "failed") ended("Failed");
    // The plan of a test has no record steps.
    if (event.type === "finished" && event.verb === "await" && operation === "test") ended("Succeeded");
  }

  /** Writes the hook runs of a test. Every other operation ends with a record step. */
  async close(signal: AbortSignal): Promise<void> {
    if (this.#proposal.operation !== "test" || signal.aborted) return;
    await this.#save(this.#revision, signal);
  }

  #noteHook(ref: ObjectRef, event: HookEvent, phase: HookPhase): void {
    const place = hookIndexOf(this.#revision.hooks, ref);
    if (place === -1) return;
    const startedAt = this.#startedAt.get(keyOf(ref)) ?? this.#now();
    this.#revision = withHookRun(this.#revision, place, { phase, startedAt, completedAt: this.#now(), event });
  }

  /** An unfinished revision that is continued is stored already. */
  async #begun(signal: AbortSignal): Promise<void> {
    const { abandoned } = this.#proposal;
    if (abandoned !== undefined) await this.#history.save(abandoned, { signal });
    if (this.#revision.stored === undefined) await this.#save(this.#revision, signal);
  }

  async #deployed(signal: AbortSignal): Promise<void> {
    const { operation } = this.#proposal;
    const { description: given } = this.#options;
    const complete = given ?? (operation === "install" ? "Install complete" : "Upgrade complete");
    const description = operation === "rollback" || isRedeploy(this.#revision) ? this.#revision.description : complete;
    await this.#save(withState(this.#revision, "deployed", description), signal);
    // A release without earlier records has nothing to supersede or prune.
    if (this.#proposal.basis.revision > 0) await pruneHistory(this.#history, this.#revision, this.#options, signal);
  }

  async #uninstalled(signal: AbortSignal): Promise<void> {
    const { keepHistory = false, description } = this.#options;
    if (keepHistory) return this.#save(asDeleted(this.#revision, this.#now(), description), signal);
    this.#isPurged = true;
    await this.#history.purge(this.#revision, { signal });
  }

  async #save(revision: Revision, signal: AbortSignal): Promise<void> {
    const { annotations = revision.annotations } = this.#options;
    this.#revision = await this.#history.save({ ...revision, ...(annotations === undefined ? {} : { annotations }) }, { signal });
  }

  #failureText(): string {
    return failureDescription(this.#proposal.operation, this.#revision.name, [...this.#failures.values()]);
  }

  #now(): string {
    return new Date(this.#cluster.clock.now()).toISOString();
  }
}
