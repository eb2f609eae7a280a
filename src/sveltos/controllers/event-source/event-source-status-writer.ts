import { buildEventSourceStatus, type clusterInfoFor } from "../../report/index.ts";
import { clusterReference, clusterReferredTo, gvkOf, failureMessageOf, readEventSource, type EventSourceStatus } from "../../api/index.ts";
import { clusterIdOf, clusterKey } from "../../fleet/index.ts";
import { equal, fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, WorkQueue, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { patchStatus } from "./write-report.ts";

/** What an EventSource's status says of one cluster. */
export type ClusterInfo = ReturnType<typeof clusterInfoFor>;

/** How often the status of one EventSource is written while nothing is wrong: it tells of the whole fleet, and grows with it. */
const writeIntervalMs = 1_000;

/**
 * The statuses of EventSources. Each replica writes what it knows of its own clusters and leaves the others' as they are;
 * a write that meets another's is done again when that one has been heard of. Nobody waits for it.
 */
export class EventSourceStatusWriter {
  readonly #desk: ControllerContext;
  readonly #queue: WorkQueue;
  /** By EventSource, by cluster. */
  readonly #known = new Map<string, Map<string, ClusterInfo>>();
  /** The EventSources that matter in a cluster; only clusters that this replica works for are here. */
  readonly #mattering = new Map<string, ReadonlySet<string>>();
  readonly #writtenAt = new Map<string, number>();
  readonly #urgent = new Set<string>();

  constructor(context: ControllerContext) {
    this.#desk = context;
    const { clock, random } = context.hub;
    this.#queue = new WorkQueue({ clock, random, laneOf: (name) => name, report: context.telemetry.failureReporter("event-sources") });
    context.telemetry.watchQueue("event-sources", this.#queue);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#queue.run((name, each) => this.#settle(name, each), signal);
  }

  /** The EventSource itself has changed. */
  enqueue(eventSource: string): void {
    this.#queue.add(eventSource);
  }

  /** Says how things stand in a cluster. Where they turn bad or well again, that is written at once. */
  update(key: string, eventSource: string, info: ClusterInfo): void {
    const known = this.#known.get(eventSource) ?? new Map<string, ClusterInfo>();
    this.#known.set(eventSource, known);
    const before = known.get(key);
    if (equal(before, info)) return;
    known.set(key, info);
    if ((before?.failures === undefined) !== (info.failures === undefined)) this.#urgent.add(eventSource);
    if (info.failures !== undefined && !equal(before?.failures, info.failures)) this.#warn(key, eventSource, info);
    this.#queue.add(eventSource);
  }

  /** Says that something was refused, beside what is known; what is said of the cluster next takes its place. */
  reportFailure(key: string, eventSource: string, message: string): void {
    const { failures: _before, ...known } = this.#known.get(eventSource)?.get(key) ?? {
      cluster: clusterReference(clusterIdOf(key)),
      matchingResources: 0,
    };
    this.update(key, eventSource, { ...known, failures: [{ message }] });
  }

  /** These EventSources matter in the cluster, which is ours, and no others. */
  setRelevant(key: string, eventSources: readonly string[]): void {
    const before = this.#mattering.get(key);
    const now = new Set(eventSources);
    this.#mattering.set(key, now);
    // What a status says from before we came is not known here.
    const concerned = before ?? this.#all();
    for (const name of concerned) {
      if (now.has(name)) continue;
      this.#known.get(name)?.delete(key);
      this.#queue.add(name);
    }
  }

  /** The cluster is not ours any more: what is said of it stays, for others to write. */
  releaseCluster(key: string): void {
    this.#mattering.delete(key);
    for (const known of this.#known.values()) known.delete(key);
  }

  /** The cluster is no more. */
  forgetCluster(key: string): void {
    this.releaseCluster(key);
    for (const name of this.#all()) this.#queue.add(name);
  }

  #all(): readonly string[] {
    return [...this.#desk.cache.all(gvkOf("EventSource"))].map(({ metadata }) => metadata.name);
  }

  #warn(key: string, eventSource: string, { failures = [] }: ClusterInfo): void {
    const object = this.#desk.cache.find(gvkOf("EventSource"), "", eventSource);
    const [first] = failures;
    if (object === undefined || first === undefined) return;
    const { namespace, name } = clusterIdOf(key);
    const { kind, namespace: place = "", name: of } = first.resource ?? {};
    const about = of === undefined ? "" : `${kind} ${place === "" ? "" : `${place}/`}${of}: `;
    const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : "";
    const message = `cluster ${namespace}/${name}: ${about}${first.message}${more}`;
    this.#desk.telemetry.recordEvent(object, { type: "Warning", reason: "EvaluationFailed", message });
  }

  async #settle(name: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { hub, cache, telemetry } = this.#desk;
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
    if (equal(status, { failureMessage: null, clusterInfo: null, ...fieldsAt(object, "status") })) return reconciled;
    const written = await patchStatus(hub, object, status, signal);
    if (written === undefined) return reconciled;
    this.#writtenAt.set(name, hub.clock.now());
    const { failureMessage } = status;
    if (failureMessage !== null && failureMessage !== stringAt(object, "status.failureMessage"))
      telemetry.recordEvent(object, { type: "Warning", reason: "EventSourceRefused", message: failureMessage });
    await cache.waitForWrites([written], signal);
    return reconciled;
  }

  /** All fields; null where there should be nothing. */
  #statusOf(object: KubeObject) {
    const infos = this.#infosOf(object);
    const objection = failureMessageOf(readEventSource(object));
    return { failureMessage: null, clusterInfo: null, ...buildEventSourceStatus(object.metadata.generation, infos, objection) };
  }

  #infosOf(object: KubeObject): readonly ClusterInfo[] {
    const { name } = object.metadata;
    const infos = new Map<string, ClusterInfo>();
    for (const info of infosIn(object)) {
      const key = keyOfInfo(info);
      if (key !== undefined && this.#desk.fleet.find(key) !== undefined && this.#mayMatter(key, name)) infos.set(key, info);
    }
    for (const [key, info] of this.#known.get(name) ?? []) if (this.#mayMatter(key, name)) infos.set(key, info);
    return [...infos].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, info]) => info);
  }

  #mayMatter(key: string, eventSource: string): boolean {
    return this.#mattering.get(key)?.has(eventSource) ?? true;
  }
}

function infosIn(object: KubeObject): NonNullable<EventSourceStatus["clusterInfo"]> {
  return listAt(object, "status.clusterInfo") as NonNullable<EventSourceStatus["clusterInfo"]>;
}

function keyOfInfo({ cluster }: ClusterInfo): string | undefined {
  const id = cluster === undefined ? undefined : clusterReferredTo(cluster);
  return id && clusterKey(id);
}
