import { withLeftOut, type ReportContent } from "../report/index.ts";
import { EventSourceWatcher } from "../watch/index.ts";
import {
  deployedBySveltosAnnotation,
  gvkOf,
  managedEventReportName,
  failureMessageOf,
  readEventSource,
  sveltosNamespace,
  wholeNameOf,
  type EventSource,
} from "../api/index.ts";
import type { Cluster, Index, Informer } from "../../kube/index.ts";
import { equal, stringAt, type KubeObject } from "../../core/object/index.ts";
import { reconciled, type ReconcileResult, type WorkQueue } from "../../reconcile/index.ts";
import { managedUserOf, readTenant } from "../tenant/index.ts";
import type { Telemetry } from "../telemetry/index.ts";
import { isolationAs, lastMatches, patchStatus, deleteReports, ReportWriter } from "../controllers/event-source/index.ts";
import type { TaskRunner } from "../../worker/index.ts";
import { AgentStatusWriter } from "./agent-status-writer.ts";

type AgentReconcilerOptions = {
  readonly sources: Informer;
  readonly reports: Informer;
  readonly queue: WorkQueue;
  readonly telemetry: Telemetry;
  /** Runs scripts and CEL rules elsewhere; undefined: here. */
  readonly tasks: TaskRunner | undefined;
};

const reportKind = gvkOf("EventReport");

/** When to evaluate the objects that slow scripts have left over. */
const pendingRequeueMs = 20;

/** Reconciles one EventSource of the cluster at a time: evaluates it and writes its EventReport and its status. */
export class AgentReconciler {
  readonly #cluster: Cluster;
  readonly #options: AgentReconcilerOptions;
  /** By user: what one tenant may read is not seen by another. The agent itself is the empty name. */
  readonly #watchers = new Map<string, EventSourceWatcher>();
  readonly #signal: AbortSignal;
  readonly #statuses: AgentStatusWriter;
  readonly #writers = new Map<string, ReportWriter>();
  /** Reports and their parts, by the name of the report. */
  readonly #parts: Index;
  #watched: ReadonlyMap<string, EventSource> = new Map();
  /** EventSources whose existing reports are in the informer. */
  readonly #known = new Set<string>();

  constructor(cluster: Cluster, options: AgentReconcilerOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#options = options;
    this.#parts = options.reports.addIndex((report) => [wholeNameOf(report)]);
    this.#statuses = new AgentStatusWriter(cluster, options.sources, options.telemetry);
    this.#signal = signal;
  }

  /** Watches what all existing EventSources select. */
  async start(signal: AbortSignal): Promise<void> {
    const copies = [...this.#options.sources.lister.all()].filter(isCopy);
    await Promise.all(copies.map(({ metadata: { name } }) => this.#waitForReport(name, signal)));
    this.#watchAll();
  }

  async reconcile(name: string, signal: AbortSignal): Promise<ReconcileResult> {
    if (this.#options.sources.lister.find("", name) !== undefined) await this.#waitForReport(name, signal);
    // A report without its EventSource belongs to a controller, which will create the EventSource or delete the report.
    else if (!this.#known.has(name)) return reconciled;
    const object = this.#options.sources.lister.find("", name);
    const existing = this.#reportOn(name);
    const source = object && evaluableSourceIn(object);
    if (!isSameSpec(source, this.#watched.get(name))) this.#watchAll();
    if (object === undefined || isDeleting(object)) return await this.#deleteReport(name, existing, signal);
    if (!isCopy(object)) return reconciled;
    if (source === undefined) return await this.#statuses.writeRefused(object, objectionTo(object) ?? "", signal);
    const observed = this.#watchers.get(userOf(source) ?? "")?.evaluate(name);
    if (observed === undefined || isDeleting(existing)) return reconciled;
    const content = { matches: observed.result.matches, collectResources: source.collectResources };
    await this.#writeReport(name, content, observed.isComplete, existing, signal);
    const requeueAfterMs = await this.#statuses.writeEvaluated(
      object,
      { ...observed, result: withLeftOut(observed.result, content) },
      signal,
    );
    if (observed.pending > 0) return { settled: false, requeueAfterMs: pendingRequeueMs };
    return requeueAfterMs === 0 ? reconciled : { settled: false, requeueAfterMs };
  }

  /**
   * Waits until the informer has the existing report. A controller creates the report before the EventSource, but the
   * informers of two kinds may deliver them in any order.
   */
  async #waitForReport(name: string, signal: AbortSignal): Promise<void> {
    if (this.#known.has(name)) return;
    const { reports } = this.#options;
    if (this.#reportOn(name) === undefined) {
      const found = await this.#cluster.find(
        { ...reportKind, namespace: sveltosNamespace, name: managedEventReportName(name) },
        { signal },
      );
      if (found !== undefined) await reports.waitForResourceVersion(found.metadata.resourceVersion ?? "0", { signal });
    }
    this.#known.add(name);
  }

  /** Watches for all EventSources at once, so that objects of one kind are read once. */
  #watchAll(): void {
    const known = [...this.#options.sources.lister.all()].filter(({ metadata: { name } }) => this.#known.has(name));
    const sources = known.flatMap((object) => evaluableSourceIn(object) ?? []);
    this.#watched = new Map(sources.map((source) => [source.metadata.name, source]));
    const byUser = Map.groupBy(sources, (source) => userOf(source) ?? "");
    const lastOf = (name: string) => lastMatches(this.#reportOn(name), (part) => this.#findReport(part));
    for (const [user, watcher] of this.#watchers) if (!byUser.has(user)) watcher.watch([], lastOf);
    for (const [user, own] of byUser) this.#watcherFor(user).watch(own, lastOf);
  }

  #watcherFor(user: string): EventSourceWatcher {
    let watcher = this.#watchers.get(user);
    if (watcher === undefined) {
      const cluster = user === "" ? this.#cluster : this.#cluster.impersonate(user);
      const onChange = (name: string) => this.#options.queue.add(name);
      const { tasks } = this.#options;
      const isolation = isolationAs(user, tasks && { tasks, scope: "" });
      watcher = new EventSourceWatcher(cluster, { onChange, byNamespace: user !== "", isolation }, this.#signal);
      this.#watchers.set(user, watcher);
    }
    return watcher;
  }

  #reportOn(name: string): KubeObject | undefined {
    return this.#findReport(managedEventReportName(name));
  }

  #findReport(name: string): KubeObject | undefined {
    return this.#options.reports.lister.find(sveltosNamespace, name);
  }

  #partsOn(name: string): readonly KubeObject[] {
    return [...this.#parts.at(managedEventReportName(name))];
  }

  /** Deletes the report of a deleted EventSource. In a management cluster the reports on other clusters stay. */
  async #deleteReport(name: string, existing: KubeObject | undefined, signal: AbortSignal): Promise<ReconcileResult> {
    if (existing !== undefined && !isDeleting(existing) && stringAt(existing, "spec.clusterName", "") === "")
      await deleteReports(this.#cluster, this.#partsOn(name), signal);
    this.#known.delete(name);
    this.#writers.delete(name);
    return reconciled;
  }

  /** Writes what has changed of the report. */
  async #writeReport(
    name: string,
    content: ReportContent,
    isComplete: boolean,
    existing: KubeObject | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    // An incomplete evaluation without matches must not create an empty report.
    const isReportable = isComplete || existing !== undefined || content.matches.length > 0;
    if (isReportable) await this.#writerFor(name).write(content, this.#partsOn(name), signal);
  }

  #writerFor(name: string): ReportWriter {
    let writer = this.#writers.get(name);
    if (writer === undefined) {
      const afterWrite = (written: KubeObject, signal: AbortSignal) => this.#awaitDelivery(written, signal);
      this.#writers.set(name, (writer = new ReportWriter({ cluster: this.#cluster, subject: { eventSource: name }, afterWrite })));
    }
    return writer;
  }

  /** On a conflict the controller has collected the report and set its phase already. */
  async #awaitDelivery(written: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const current = (await patchStatus(this.#cluster, written, { phase: "WaitingForDelivery" }, signal)) ?? written;
    await this.#options.reports.waitForResourceVersion(current.metadata.resourceVersion ?? "0", { signal });
    return current;
  }
}

/** The EventSource to evaluate: a valid copy that a controller has created here. */
function evaluableSourceIn(object: KubeObject): EventSource | undefined {
  if (!isCopy(object) || isDeleting(object)) return undefined;
  const reading = readEventSource(object);
  return reading.state === "read" && objectionTo(object) === undefined ? reading.value : undefined;
}

function objectionTo(object: KubeObject): string | undefined {
  const author = readTenant(object.metadata.labels, []);
  return failureMessageOf(readEventSource(object)) ?? (author.state === "refused" ? author.because : undefined);
}

/** The user as whom an EventSource is evaluated; undefined: the agent itself. */
function userOf({ metadata }: EventSource): string | undefined {
  const author = readTenant(metadata.labels, []);
  return author.state === "tenant" ? managedUserOf(author.tenant) : undefined;
}

function isSameSpec(one: EventSource | undefined, other: EventSource | undefined): boolean {
  return equal(one && { ...one, metadata: {}, user: userOf(one) }, other && { ...other, metadata: {}, user: userOf(other) });
}

/** In a management cluster that is managed too, only copies are for the agent. */
function isCopy({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[deployedBySveltosAnnotation] !== undefined;
}

function isDeleting(object: KubeObject | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}
