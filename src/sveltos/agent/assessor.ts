import { isSameReport, report } from "../report/index.ts";
import { Observer, type Observed } from "../watch/index.ts";
import {
  deployedBySveltosAnnotation,
  gvkOf,
  managedEventReportName,
  objectionTo,
  readEventSource,
  sveltosNamespace,
  type EventSource,
} from "../api/index.ts";
import type { Cluster, Informer } from "../../kube/index.ts";
import { equal, refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import { settled, type Outcome, type WorkQueue } from "../../reconcile/index.ts";
import type { Chronicle } from "../telemetry/index.ts";
import { lastMatches, patchStatus, perform, Told, writeReport } from "../controllers/event-source/index.ts";
import { Standing } from "./standing.ts";

export type AssessorTools = {
  readonly sources: Informer;
  readonly reports: Informer;
  readonly queue: WorkQueue;
  readonly chronicle: Chronicle;
};

const reportKind = gvkOf("EventReport");

/** How soon objects are looked at again that had to wait for slow scripts. */
const breathMs = 20;

/** Evaluates the EventSources of a cluster and writes what is found, one of them at a time. */
export class Assessor {
  readonly #cluster: Cluster;
  readonly #tools: AssessorTools;
  readonly #observer: Observer;
  readonly #standing: Standing;
  readonly #told = new Told();
  #followed: ReadonlyMap<string, EventSource> = new Map();
  /** EventSources whose reports are known, where there are any. */
  readonly #known = new Set<string>();

  constructor(cluster: Cluster, tools: AssessorTools, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#tools = tools;
    this.#standing = new Standing(cluster, tools.sources, tools.chronicle);
    this.#observer = new Observer(cluster, { changed: (name) => tools.queue.add(name) }, signal);
  }

  /** Follows all EventSources that are there. */
  async begin(signal: AbortSignal): Promise<void> {
    const copies = [...this.#tools.sources.store.all()].filter(isCopy);
    await Promise.all(copies.map(({ metadata: { name } }) => this.#recall(name, signal)));
    this.#follow();
  }

  async settle(name: string, signal: AbortSignal): Promise<Outcome> {
    if (this.#tools.sources.store.find("", name) !== undefined) await this.#recall(name, signal);
    // A report without EventSource is a controller's: it may be about to bring the one for the other, or to take both away.
    else if (!this.#known.has(name)) return settled;
    const object = this.#tools.sources.store.find("", name);
    const there = this.#reportOn(name);
    const source = object && readableIn(object);
    if (!saysTheSame(source, this.#followed.get(name))) this.#follow();
    if (object === undefined || isGoing(object)) return await this.#withdraw(name, there, signal);
    if (!isCopy(object)) return settled;
    if (source === undefined) return await this.#standing.refuse(object, objectionTo(readEventSource(object)) ?? "", signal);
    const observed = this.#observer.look(name);
    if (observed === undefined || isGoing(there)) return settled;
    const problem = await this.#tell(source, observed, there, signal);
    const againInMs = await this.#standing.state(object, observed, problem, signal);
    if (observed.waiting > 0) return { settled: false, againInMs: breathMs };
    return againInMs === 0 ? settled : { settled: false, againInMs };
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
      if (found !== undefined) await reports.reached(found.metadata.resourceVersion ?? "0", { signal });
    }
    this.#known.add(name);
  }

  /** All at once, so that what they look at is read once. */
  #follow(): void {
    const known = [...this.#tools.sources.store.all()].filter(({ metadata: { name } }) => this.#known.has(name));
    const sources = known.flatMap((object) => readableIn(object) ?? []);
    this.#followed = new Map(sources.map((source) => [source.metadata.name, source]));
    this.#observer.follow(sources, (name) => lastMatches(this.#reportOn(name)));
  }

  #reportOn(name: string): KubeObject | undefined {
    return this.#tools.reports.store.find(sveltosNamespace, managedEventReportName(name));
  }

  /** An EventSource that is gone takes its report along. Where the management cluster is managed, reports on others stay. */
  async #withdraw(name: string, there: KubeObject | undefined, signal: AbortSignal): Promise<Outcome> {
    if (there !== undefined && !isGoing(there) && stringAt(there, "spec.clusterName", "") === "") {
      const { uid } = there.metadata;
      await perform(this.#cluster, { verb: "delete", ref: refOf(there), ...(uid !== undefined && { uid }) }, signal);
    }
    this.#known.delete(name);
    return settled;
  }

  /** Writes the report if it says something else than the one that is there. Answers why it cannot be written. */
  async #tell(
    { metadata: { name }, collectResources }: EventSource,
    { findings: { matches }, isComplete }: Observed,
    there: KubeObject | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const now = { matches, collectResources };
    // Where not everything could be read, nothing found is not yet a finding.
    const isWorthTelling = isComplete || there !== undefined || matches.length > 0;
    if (!isWorthTelling || this.#told.has(name, now, there)) return undefined;
    const made = report({ eventSource: name, ...now });
    if ("problem" in made) return made.problem;
    const current = isSameReport(there, made.report) ? there : await this.#write(there, made.report, signal);
    if (current !== undefined) this.#told.set(name, now, current);
    return undefined;
  }

  async #write(there: KubeObject | undefined, wanted: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const written = await writeReport(this.#cluster, there, wanted, signal);
    if (written === undefined) return undefined;
    // Whoever has fetched it already has said so, and is right.
    const current = (await patchStatus(this.#cluster, written, { phase: "WaitingForDelivery" }, signal)) ?? written;
    await this.#tools.reports.reached(current.metadata.resourceVersion ?? "0", { signal });
    return current;
  }
}

/** What is to be evaluated: a copy that a controller has put here, and that can be. */
function readableIn(object: KubeObject): EventSource | undefined {
  if (!isCopy(object) || isGoing(object)) return undefined;
  const reading = readEventSource(object);
  return reading.state === "read" && objectionTo(reading) === undefined ? reading.value : undefined;
}

function saysTheSame(one: EventSource | undefined, other: EventSource | undefined): boolean {
  return equal(one && { ...one, metadata: {} }, other && { ...other, metadata: {} });
}

/** A management cluster that is managed too has EventSources of its own, which are not meant for it. */
function isCopy({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[deployedBySveltosAnnotation] !== undefined;
}

function isGoing(object: KubeObject | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}
