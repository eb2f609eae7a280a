import { clusterInfoFor, buildEventSourceStatus } from "../report/index.ts";
import type { Observation } from "../watch/index.ts";
import type { Cluster, Informer } from "../../kube/index.ts";
import { equal, fieldsAt, listAt, type KubeObject } from "../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../reconcile/index.ts";
import type { Telemetry } from "../telemetry/index.ts";
import { patchStatus } from "../controllers/event-source/index.ts";

/** The shortest time between two writes of one status while nothing fails. */
const writeIntervalMs = 1_000;

/** Writes the statuses of the EventSources of one cluster. */
export class AgentStatusWriter {
  readonly #cluster: Cluster;
  readonly #sources: Informer;
  readonly #telemetry: Telemetry;
  readonly #writtenAt = new Map<string, number>();

  constructor(cluster: Cluster, sources: Informer, telemetry: Telemetry) {
    this.#cluster = cluster;
    this.#sources = sources;
    this.#telemetry = telemetry;
  }

  /** Writes why an EventSource is not evaluated. The last results stay. */
  async writeRefused(object: KubeObject, objection: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { clusterInfo: known = null, matchingResources = 0 } = fieldsAt(object, "status");
    const status = { observedGeneration: object.metadata.generation, matchingResources, failureMessage: objection, clusterInfo: known };
    if (await this.#write(object, status, signal))
      this.#telemetry.recordEvent(object, { type: "Warning", reason: "EventSourceRefused", message: objection });
    return reconciled;
  }

  /**
   * Writes the result of an evaluation. Gives the delay in milliseconds when it is too early for a write, otherwise 0. The
   * first failure and the recovery from it are written at once.
   */
  async writeEvaluated(
    object: KubeObject,
    { result, evaluated }: Pick<Observation, "result" | "evaluated">,
    signal: AbortSignal,
  ): Promise<number> {
    const { failures } = result;
    if (evaluated > 0) this.#telemetry.count("sluice_evaluations_total");
    if (evaluated > 0 && failures.length > 0) this.#telemetry.count("sluice_evaluation_failures_total");
    const info = clusterInfoFor(result);
    const wasFailing = listAt(object, "status.clusterInfo").some((known) => listAt(known, "failures").length > 0);
    const waitMs = (this.#writtenAt.get(object.metadata.name) ?? 0) + writeIntervalMs - this.#cluster.clock.now();
    if (waitMs > 0 && wasFailing === failures.length > 0) return waitMs;
    const [first] = info.failures ?? [];
    const isWritten = await this.#write(
      object,
      { failureMessage: null, ...buildEventSourceStatus(object.metadata.generation, [info]) },
      signal,
    );
    if (isWritten && first !== undefined)
      this.#telemetry.recordEvent(object, { type: "Warning", reason: "EvaluationFailed", message: first.message });
    return 0;
  }

  /** False when the status is unchanged, or on a conflict. */
  async #write(object: KubeObject, status: object, signal: AbortSignal): Promise<boolean> {
    if (equal(status, { failureMessage: null, clusterInfo: null, ...fieldsAt(object, "status") })) return false;
    const written = await patchStatus(this.#cluster, object, status, signal);
    if (written === undefined) return false;
    this.#writtenAt.set(object.metadata.name, this.#cluster.clock.now());
    await this.#sources.waitForResourceVersion(written.metadata.resourceVersion ?? "0", { signal });
    return true;
  }
}
