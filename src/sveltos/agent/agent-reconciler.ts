import { isSameReport, buildEventReport } from "../report/index.ts";
import { EventSourceWatcher, type Observation } from "../watch/index.ts";
import {
  deployedBySveltosAnnotation,
  gvkOf,
  managedEventReportName,
  failureMessageOf,
  readEventSource,
  sveltosNamespace,
  type EventSource,
} from "../api/index.ts";
import type { Cluster, Informer } from "../../kube/index.ts";
import { equal, refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import { reconciled, type ReconcileResult, type WorkQueue } from "../../reconcile/index.ts";
import type { Telemetry } from "../telemetry/index.ts";
import { lastMatches, patchStatus, applySourceChange, LastReported, writeReport } from "../controllers/event-source/index.ts";
import { AgentStatusWriter } from "./agent-status-writer.ts";

export type AgentReconcilerOptions = {
  readonly sources: Informer;
  readonly reports: Informer;
  readonly queue: WorkQueue;
  readonly telemetry: Telemetry;
};

const reportKind = gvkOf("EventReport");

/** How soon objects are looked at again that had to wait for slow scripts. */
const pendingRequeueMs = 20;

/** Evaluates the EventSources of a cluster and writes what is found, one of them at a time. */
export class AgentReconciler {
  readonly #cluster: Cluster;
  readonly #tools: AgentReconcilerOptions;
  readonly #observer: EventSourceWatcher;
  readonly #standing: AgentStatusWriter;
  readonly #told = new LastReported();
  #followed: ReadonlyMap<string, EventSource> = new Map();
  /** EventSources whose reports are known, where there are any. */
  readonly #known = new Set<string>();

  constructor(cluster: Cluster, options: AgentReconcilerOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#tools = options;
    this.#standing = new AgentStatusWriter(cluster, options.sources, options.telemetry);
    this.#observer = new EventSourceWatcher(cluster, { onChange: (name) => options.queue.add(name) }, signal);
  }

  /** Follows all EventSources that are there. */
  async start(signal: AbortSignal): Promise<void> {
    const copies = [...this.#tools.sources.lister.all()].filter(isCopy);
    await Promise.all(copies.map(({ metadata: { name } }) => this.#recall(name, signal)));
    this.#follow();
  }

  async reconcile(name: string, signal: AbortSignal): Promise<ReconcileResult> {
    if (this.#tools.sources.lister.find("", name) !== undefined) await this.#recall(name, signal);
    // A report without EventSource is a controller's: it may be about to bring the one for the other, or to take both away.
    else if (!this.#known.has(name)) return reconciled;
    const object = this.#tools.sources.lister.find("", name);
    const existing = this.#reportOn(name);
    const source = object && readableIn(object);
    if (!isSameSpec(source, this.#followed.get(name))) this.#follow();
    if (object === undefined || isDeleting(object)) return await this.#withdraw(name, existing, signal);
    if (!isCopy(object)) return reconciled;
    if (source === undefined) return await this.#standing.writeRefused(object, failureMessageOf(readEventSource(object)) ?? "", signal);
    const observed = this.#observer.evaluate(name);
    if (observed === undefined || isDeleting(existing)) return reconciled;
    const problem = await this.#tell(source, observed, existing, signal);
    const requeueAfterMs = await this.#standing.writeEvaluated(object, observed, problem, signal);
    if (observed.pending > 0) return { settled: false, requeueAfterMs: pendingRequeueMs };
    return requeueAfterMs === 0 ? reconciled : { settled: false, requeueAfterMs };
  }

  /**
   * Makes sure that we know the report which was there before us: a controller that hands an EventSource to an agent gives
   * it what was known until then first, but of two kinds nobody knows which is heard of first.
   */
  async #recall(name: string, signal: AbortSignal): Promise<void> {
    if (this.#known.has(name)) return;
    const { reports } = this.#tools;
    if (this.#reportOn(name) === undefined) {
      const found = await this.#cluster.find(
        { ...reportKind, namespace: sveltosNamespace, name: managedEventReportName(name) },
        { signal },
      );
      if (found !== undefined) await reports.waitForResourceVersion(found.metadata.resourceVersion ?? "0", { signal });
    }
    this.#known.add(name);
  }

  /** All at once, so that what they look at is read once. */
  #follow(): void {
    const known = [...this.#tools.sources.lister.all()].filter(({ metadata: { name } }) => this.#known.has(name));
    const sources = known.flatMap((object) => readableIn(object) ?? []);
    this.#followed = new Map(sources.map((source) => [source.metadata.name, source]));
    this.#observer.watch(sources, (name) => lastMatches(this.#reportOn(name)));
  }

  #reportOn(name: string): KubeObject | undefined {
    return this.#tools.reports.lister.find(sveltosNamespace, managedEventReportName(name));
  }

  /** An EventSource that is gone takes its report along. Where the management cluster is managed, reports on others stay. */
  async #withdraw(name: string, existing: KubeObject | undefined, signal: AbortSignal): Promise<ReconcileResult> {
    if (existing !== undefined && !isDeleting(existing) && stringAt(existing, "spec.clusterName", "") === "") {
      const { uid } = existing.metadata;
      await applySourceChange(this.#cluster, { verb: "delete", ref: refOf(existing), ...(uid !== undefined && { uid }) }, signal);
    }
    this.#known.delete(name);
    return reconciled;
  }

  /** Writes the report if it says something else than the one that is there. Answers why it cannot be written. */
  async #tell(
    { metadata: { name }, collectResources }: EventSource,
    { result: { matches }, isComplete }: Observation,
    existing: KubeObject | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const now = { matches, collectResources };
    // Where not everything could be read, nothing found is not yet a finding.
    const isWorthTelling = isComplete || existing !== undefined || matches.length > 0;
    if (!isWorthTelling || this.#told.isReported(name, now, existing)) return undefined;
    const made = buildEventReport({ eventSource: name, ...now });
    if ("problem" in made) return made.problem;
    const current = isSameReport(existing, made.report) ? existing : await this.#write(existing, made.report, signal);
    if (current !== undefined) this.#told.record(name, now, current);
    return undefined;
  }

  async #write(existing: KubeObject | undefined, wanted: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const written = await writeReport(this.#cluster, existing, wanted, signal);
    if (written === undefined) return undefined;
    // Whoever has fetched it already has said so, and is right.
    const current = (await patchStatus(this.#cluster, written, { phase: "WaitingForDelivery" }, signal)) ?? written;
    await this.#tools.reports.waitForResourceVersion(current.metadata.resourceVersion ?? "0", { signal });
    return current;
  }
}

/** What is to be evaluated: a copy that a controller has put here, and that can be. */
function readableIn(object: KubeObject): EventSource | undefined {
  if (!isCopy(object) || isDeleting(object)) return undefined;
  const reading = readEventSource(object);
  return reading.state === "read" && failureMessageOf(reading) === undefined ? reading.value : undefined;
}

function isSameSpec(one: EventSource | undefined, other: EventSource | undefined): boolean {
  return equal(one && { ...one, metadata: {} }, other && { ...other, metadata: {} });
}

/** A management cluster that is managed too has EventSources of its own, which are not meant for it. */
function isCopy({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[deployedBySveltosAnnotation] !== undefined;
}

function isDeleting(object: KubeObject | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}
