import { buildEventSourceStatus, failureText, kindNotServed, sourceProblemsIn, type clusterInfoFor } from "../../report/index.ts";
import {
  clusterReference,
  clusterReferredTo,
  conditionsAfter,
  gvkOf,
  failureMessageOf,
  readEventSource,
  type EventSourceStatus,
} from "../../api/index.ts";
import { clusterIdOf, clusterKey } from "../../fleet/index.ts";
import { isRefusalOf } from "../../tenant/index.ts";
import { equal, fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, WorkQueue, type ReconcileResult } from "../../../reconcile/index.ts";
import { logDenial, recordConditions, tenantOf, type ControllerContext } from "../context/index.ts";
import { patchStatus } from "./write-report.ts";

/** The entry of one cluster in an EventSource's status. */
export type ClusterInfo = ReturnType<typeof clusterInfoFor>;

/** The fields of a status that are removed when they say nothing. */
const absentFields = { failureMessage: null, clusterInfo: null, conditions: null };

/** The shortest time between two writes of one status while nothing fails: it grows with the fleet. */
const writeIntervalMs = 1_000;

/**
 * Writes the statuses of EventSources in a queue of its own. Each replica writes the entries of its own clusters and keeps
 * the others. After a conflict the change that caused it requeues the EventSource. Clusters are named by the fleet's key.
 */
export class EventSourceStatusWriter {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue;
  /** By EventSource, by cluster. */
  readonly #known = new Map<string, Map<string, ClusterInfo>>();
  /** The EventSources that are used in a cluster, for the clusters that this replica owns. */
  readonly #relevant = new Map<string, ReadonlySet<string>>();
  readonly #writtenAt = new Map<string, number>();
  readonly #urgent = new Set<string>();

  constructor(context: ControllerContext) {
    this.#context = context;
    const { clock, random, onRecovery } = context.hub;
    const report = context.telemetry.failureReporter("event-sources");
    this.#queue = new WorkQueue({ clock, random, onRecovery, laneOf: (name) => name, report });
    context.telemetry.watchQueue("event-sources", this.#queue);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#queue.run((name, each) => this.#reconcile(name, each), signal);
  }

  /** Requeues an EventSource that has changed. */
  enqueue(eventSource: string): void {
    this.#queue.add(eventSource);
  }

  /** Sets the entry of a cluster. The first failure and the recovery from it are written at once. */
  update(key: string, eventSource: string, info: ClusterInfo): void {
    this.#update(key, eventSource, info, false);
  }

  #update(key: string, eventSource: string, info: ClusterInfo, isDenied: boolean): void {
    const known = this.#known.get(eventSource) ?? new Map<string, ClusterInfo>();
    this.#known.set(eventSource, known);
    const before = known.get(key);
    if (equal(before, info)) return;
    known.set(key, info);
    this.#logDenials(key, eventSource, before, info, isDenied);
    if ((before?.failures === undefined) !== (info.failures === undefined) || !equal(before?.notServed, info.notServed))
      this.#urgent.add(eventSource);
    if (info.failures !== undefined && !equal(before?.failures, info.failures)) this.#recordFailures(key, eventSource, info);
    this.#queue.add(eventSource);
  }

  /** Adds a failure to the entry of a cluster. The next update replaces it. `isDenied`: nothing is done there for its tenant. */
  reportFailure(key: string, eventSource: string, message: string, { isDenied = false }: { readonly isDenied?: boolean } = {}): void {
    const { failures: _before, ...known } = this.#known.get(eventSource)?.get(key) ?? {
      cluster: clusterReference(clusterIdOf(key)),
      matchingResources: 0,
    };
    this.#update(key, eventSource, { ...known, failures: [{ message }] }, isDenied);
  }

  /** Sets the EventSources that are used in a cluster of this replica. The entries of others are removed. */
  setRelevant(key: string, eventSources: readonly string[]): void {
    const before = this.#relevant.get(key);
    const relevant = new Set(eventSources);
    this.#relevant.set(key, relevant);
    // Without an earlier set any status may have an entry from another replica.
    const candidates = before ?? this.#all();
    for (const name of candidates) {
      if (relevant.has(name)) continue;
      this.#known.get(name)?.delete(key);
      this.#queue.add(name);
    }
  }

  /** Another replica owns the cluster: its entries stay for that one to write. */
  releaseCluster(key: string): void {
    this.#relevant.delete(key);
    for (const known of this.#known.values()) known.delete(key);
  }

  /** The cluster is gone: its entries are removed from all statuses. */
  forgetCluster(key: string): void {
    this.releaseCluster(key);
    for (const name of this.#all()) this.#queue.add(name);
  }

  #all(): readonly string[] {
    return [...this.#context.cache.all(gvkOf("EventSource"))].map(({ metadata }) => metadata.name);
  }

  /** What the last process has said of a cluster is in the status, and no news. */
  #logDenials(key: string, eventSource: string, known: ClusterInfo | undefined, { failures = [] }: ClusterInfo, isDenied: boolean): void {
    const object = this.#context.cache.find(gvkOf("EventSource"), "", eventSource);
    const author = object && tenantOf(object, this.#context);
    if (object === undefined || author?.state !== "tenant") return;
    const before = known ?? infosIn(object).find((info) => keyOfInfo(info) === key);
    const said = new Set((before?.failures ?? []).map(({ message }) => message));
    const messages = new Set(failures.map(({ message }) => message));
    for (const message of messages)
      if (!said.has(message) && (isDenied || isRefusalOf(author.tenant, message))) logDenial(object, key, message, this.#context);
  }

  #recordFailures(key: string, eventSource: string, { failures = [] }: ClusterInfo): void {
    const object = this.#context.cache.find(gvkOf("EventSource"), "", eventSource);
    const [first] = failures;
    if (object === undefined || first === undefined) return;
    const { namespace, name } = clusterIdOf(key);
    const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : "";
    const message = `cluster ${namespace}/${name}: ${failureText(first)}${more}`;
    this.#context.telemetry.recordEvent(object, { type: "Warning", reason: "EvaluationFailed", message });
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { hub, cache, telemetry } = this.#context;
    const object = cache.find(gvkOf("EventSource"), "", name);
    if (object === undefined) {
      this.#known.delete(name);
      this.#writtenAt.delete(name);
      this.#urgent.delete(name);
      return reconciled;
    }
    const waitMs = (this.#writtenAt.get(name) ?? 0) + writeIntervalMs - hub.clock.now();
    if (waitMs > 0 && !this.#urgent.has(name)) return { settled: false, requeueAfterMs: waitMs };
    this.#urgent.delete(name);
    const status = this.#statusOf(object);
    if (equal(status, { ...absentFields, ...fieldsAt(object, "status") })) return reconciled;
    const written = await patchStatus(hub, object, status, signal);
    if (written === undefined) return reconciled;
    this.#writtenAt.set(name, hub.clock.now());
    const { failureMessage } = status;
    if (failureMessage !== null && failureMessage !== stringAt(object, "status.failureMessage")) {
      telemetry.recordEvent(object, { type: "Warning", reason: "EventSourceRefused", message: failureMessage });
      if (tenantOf(object, this.#context).state === "refused") logDenial(object, undefined, failureMessage, this.#context);
    }
    recordConditions(object, status.conditions, this.#context);
    await cache.waitForWrites([written], signal);
    return reconciled;
  }

  /** All fields of the status; null removes one. */
  #statusOf(object: KubeObject) {
    const infos = this.#infosOf(object);
    const author = tenantOf(object, this.#context);
    const objection = failureMessageOf(readEventSource(object)) ?? (author.state === "refused" ? author.because : undefined);
    const conditions = conditionsAfter(object, kindNotServed(sourceProblemsIn(infos)), this.#context.hub.clock.now());
    return { ...absentFields, ...buildEventSourceStatus(object.metadata.generation, infos, objection), conditions };
  }

  #infosOf(object: KubeObject): readonly ClusterInfo[] {
    const { name } = object.metadata;
    const infos = new Map<string, ClusterInfo>();
    for (const info of infosIn(object)) {
      const key = keyOfInfo(info);
      if (key !== undefined && this.#context.fleet.find(key) !== undefined && this.#mayBeRelevant(key, name)) infos.set(key, info);
    }
    for (const [key, info] of this.#known.get(name) ?? []) if (this.#mayBeRelevant(key, name)) infos.set(key, info);
    return [...infos].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, info]) => info);
  }

  #mayBeRelevant(key: string, eventSource: string): boolean {
    return this.#relevant.get(key)?.has(eventSource) ?? true;
  }
}

function infosIn(object: KubeObject): NonNullable<EventSourceStatus["clusterInfo"]> {
  return listAt(object, "status.clusterInfo") as NonNullable<EventSourceStatus["clusterInfo"]>;
}

function keyOfInfo({ cluster }: ClusterInfo): string | undefined {
  const id = cluster === undefined ? undefined : clusterReferredTo(cluster);
  return id && clusterKey(id);
}
