import type { DesiredChange } from "../../instantiate/index.ts";
import { eventReportName, gvkOf, failureMessageOf, readEventSource, type EventSource } from "../../api/index.ts";
import { clusterIdOf, type ClusterConnection } from "../../fleet/index.ts";
import { isApiFault, type Index } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult, type WorkQueue } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { collectAgentReport } from "./collect-agent-report.ts";
import type { EventSourceIndex } from "./event-source-index.ts";
import { eventSourceKeyParts, eventSourceKey } from "./event-source-key.ts";
import { reportEvaluation } from "./report-evaluation.ts";
import { ClusterEvaluator } from "./cluster-evaluator.ts";
import { clusterOfEventReport } from "./event-report.ts";
import { lastMatches } from "./write-report.ts";
import {
  listLeftByAgent,
  applySourceChanges,
  planClusterSources,
  seedReportsFor,
  clusterSourceStateOf,
  type ClusterSourceState,
} from "./cluster-source-state.ts";
import type { EventSourceStatusWriter } from "./event-source-status-writer.ts";

export type EventSourceReconcilerOptions = {
  readonly index: EventSourceIndex;
  readonly statuses: EventSourceStatusWriter;
  readonly queue: WorkQueue;
};

/** Keeps the events of every cluster that this replica attends to: for each cluster a post, for each EventSource there a report. */
export class EventSourceReconciler {
  readonly #desk: ControllerContext;
  readonly #tools: EventSourceReconcilerOptions;
  readonly #signal: AbortSignal;
  readonly #reports: Index;
  readonly #posts = new Map<string, ClusterEvaluator>();

  constructor(context: ControllerContext, options: EventSourceReconcilerOptions, signal: AbortSignal) {
    this.#desk = context;
    this.#tools = options;
    this.#signal = signal;
    this.#reports = context.cache.index(gvkOf("EventReport"), (report) => {
      const cluster = clusterOfEventReport(report);
      return cluster === undefined ? [] : [cluster];
    });
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { cluster, eventSource } = eventSourceKeyParts(key);
    if (this.#desk.fleet.find(cluster) === undefined) return await this.#forget(cluster, signal);
    const before = this.#posts.get(cluster);
    try {
      return await (eventSource === undefined ? this.#settleCluster(cluster, signal) : this.#settleSource(cluster, eventSource));
    } catch (error) {
      // The cluster is another replica's by now, or has another connection, with which the work begins again.
      if ((before ?? this.#posts.get(cluster))?.signal.aborted === true && !signal.aborted) return reconciled;
      if (eventSource !== undefined && isApiFault(error)) this.#tools.statuses.reportFailure(cluster, eventSource, error.message);
      this.#desk.fleet.probeNow(cluster);
      throw error;
    }
  }

  close(): void {
    for (const key of this.#posts.keys()) this.#leave(key, "the controller ends");
  }

  async #settleCluster(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const cluster = this.#desk.fleet.find(key);
    if (cluster === undefined || cluster.reachability.state === "unknown") {
      this.#leave(key, "the cluster is not attended to any more");
      this.#tools.statuses.releaseCluster(key);
      return reconciled;
    }
    if (cluster.managed.paused) return reconciled;
    const evaluator = this.#postFor(key, cluster.connection);
    const sourceState = clusterSourceStateOf(this.#desk, this.#tools.index, key, this.#reports.at(key));
    const { sources, management } = planClusterSources(sourceState, "controller", []);
    this.#tools.statuses.setRelevant(key, sources);
    if (evaluator?.agent.state === "absent") this.#observe(evaluator, key, sources);
    await applySourceChanges(this.#desk.hub, management, signal);
    if (evaluator?.agent.state === "absent") await this.#sweep(sourceState, evaluator, signal);
    if (evaluator?.agent.state === "present" || evaluator?.agent.state === "silent")
      await this.#leaveToAgent(sourceState, evaluator, signal);
    return reconciled;
  }

  /** A cluster that is no more has no events. */
  async #forget(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    this.#leave(key, "the cluster is gone");
    const going = [...this.#reports.at(key)].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    await applySourceChanges(this.#desk.hub, going.map(deletionOf), signal);
    this.#tools.statuses.forgetCluster(key);
    return reconciled;
  }

  #observe(evaluator: ClusterEvaluator, key: string, names: readonly string[]): void {
    const sources = names.flatMap((name) => this.#readableSource(name) ?? []);
    const lastOf = (name: string) => lastMatches(this.#reportOn(key, name));
    evaluator.observe(sources, lastOf, (name) => this.#tools.queue.add(eventSourceKey(key, name)));
  }

  /** One that is refused is not evaluated; its reports stay as they are. */
  #readableSource(name: string): EventSource | undefined {
    const object = this.#desk.cache.find(gvkOf("EventSource"), "", name);
    const reading = object && readEventSource(object);
    return reading?.state === "read" && failureMessageOf(reading) === undefined ? reading.value : undefined;
  }

  /** Takes away what an agent had and left: one that comes later begins with what is known then. */
  async #sweep(sourceState: ClusterSourceState, evaluator: ClusterEvaluator, signal: AbortSignal): Promise<void> {
    if (evaluator.isCleanedUp) return;
    const both = AbortSignal.any([signal, evaluator.signal]);
    const left = await listLeftByAgent(evaluator.link.cluster, both);
    await applySourceChanges(evaluator.link.cluster, planClusterSources(sourceState, "controller", left).managed, both);
    evaluator.isCleanedUp = true;
  }

  async #leaveToAgent(sourceState: ClusterSourceState, evaluator: ClusterEvaluator, signal: AbortSignal): Promise<void> {
    const { key } = sourceState;
    const { queue, statuses } = this.#tools;
    const { cluster } = evaluator.link;
    // While we evaluated, nobody kept up what an earlier agent left behind.
    if (evaluator.isObserving) await this.#sweep(sourceState, evaluator, signal);
    const collector = evaluator.delegateToAgent((news) => {
      if (news === undefined || news.concernsCluster) queue.add(key);
      if (news !== undefined) queue.add(eventSourceKey(key, news.eventSource));
    });
    if (!collector.isReady) return;
    const plan = planClusterSources(sourceState, "agent", collector.objects());
    const both = AbortSignal.any([signal, evaluator.signal]);
    const seeds = seedReportsFor(sourceState, plan, this.#desk, (name) => collector.report(name) !== undefined);
    try {
      await applySourceChanges(cluster, seeds, both);
      await applySourceChanges(cluster, plan.managed, both);
    } catch (error) {
      if (isApiFault(error))
        for (const name of plan.sources) statuses.reportFailure(key, name, `for the cluster's agent: ${error.message}`);
      throw error;
    }
    for (const name of plan.sources) queue.add(eventSourceKey(key, name));
  }

  async #settleSource(key: string, eventSource: string): Promise<ReconcileResult> {
    const evaluator = this.#posts.get(key);
    if (evaluator === undefined || evaluator.signal.aborted || this.#desk.fleet.find(key)?.managed.paused === true) return reconciled;
    const target = { key, evaluator, eventSource, existing: this.#reportOn(key, eventSource) };
    const { collector } = evaluator;
    const { statuses } = this.#tools;
    if (collector === undefined) return await reportEvaluation(this.#desk, statuses, target, evaluator.signal);
    return this.#isWanted(key, eventSource)
      ? await collectAgentReport(this.#desk, statuses, { ...target, collector }, evaluator.signal)
      : reconciled;
  }

  #isWanted(key: string, name: string): boolean {
    const source = this.#desk.cache.find(gvkOf("EventSource"), "", name);
    if (source === undefined || source.metadata.deletionTimestamp !== undefined) return false;
    return this.#tools.index.inCluster(key).wants.some(({ eventSource }) => eventSource === name);
  }

  #reportOn(key: string, eventSource: string): KubeObject | undefined {
    const id = clusterIdOf(key);
    return this.#desk.cache.find(gvkOf("EventReport"), id.namespace, eventReportName(eventSource, id));
  }

  #postFor(key: string, link: ClusterConnection | undefined): ClusterEvaluator | undefined {
    const known = this.#posts.get(key);
    if (known !== undefined && known.link === link && !known.signal.aborted) return known;
    this.#leave(key, "the cluster has another connection");
    if (link === undefined || link.signal.aborted) return undefined;
    const evaluator = new ClusterEvaluator(link, () => this.#tools.queue.add(key), this.#signal);
    this.#posts.set(key, evaluator);
    return evaluator;
  }

  #leave(key: string, because: string): void {
    this.#posts.get(key)?.close(because);
    this.#posts.delete(key);
  }
}

function deletionOf(object: KubeObject): DesiredChange {
  const { uid } = object.metadata;
  return { verb: "delete", ref: refOf(object), ...(uid !== undefined && { uid }) };
}
