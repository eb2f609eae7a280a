import { eventReportName, gvkOf } from "../../api/index.ts";
import { clusterIdOf, type ClusterConnection } from "../../fleet/index.ts";
import { isApiFault, type Index } from "../../../kube/index.ts";
import { equal, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult, type WorkQueue } from "../../../reconcile/index.ts";
import { managedUserOf } from "../../tenant/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { removeAgentRights, rulesFor, writeAgentRights } from "./agent-rights.ts";
import { collectAgentReport } from "./collect-agent-report.ts";
import type { EventSourceIndex } from "./event-source-index.ts";
import type { EventSourceKey } from "./event-source-key.ts";
import { reportEvaluation } from "./report-evaluation.ts";
import { ClusterEvaluator } from "./cluster-evaluator.ts";
import { readSources, type DeniedSource, type EvaluatedSource } from "./source-access.ts";
import { clusterOfEventReport, eventSourceOfReport } from "./event-report-owner.ts";
import { writeAgentPresence } from "./write-agent-presence.ts";
import { deleteReports, lastMatches } from "./write-report.ts";
import {
  listLeftByAgent,
  applySourceChanges,
  planClusterSources,
  seedReportsFor,
  clusterSourceStateOf,
  type ClusterSourceState,
} from "./cluster-source-state.ts";
import type { EventSourceStatusWriter } from "./event-source-status-writer.ts";

type EventSourceReconcilerOptions = {
  readonly index: EventSourceIndex;
  readonly statuses: EventSourceStatusWriter;
  readonly queue: WorkQueue<EventSourceKey>;
};

/** Reconciles the events of the clusters that this replica owns: an evaluator for each cluster, an EventReport for each EventSource. */
export class EventSourceReconciler {
  readonly #context: ControllerContext;
  readonly #options: EventSourceReconcilerOptions;
  readonly #signal: AbortSignal;
  readonly #reports: Index;
  readonly #evaluators = new Map<string, ClusterEvaluator>();
  /** By cluster, by EventSource: the user as whom it was evaluated last. The controller itself is the empty name. */
  readonly #evaluatedAs = new Map<string, ReadonlyMap<string, string>>();

  constructor(context: ControllerContext, options: EventSourceReconcilerOptions, signal: AbortSignal) {
    this.#context = context;
    this.#options = options;
    this.#signal = signal;
    this.#reports = context.cache.index(gvkOf("EventReport"), (report) => {
      const cluster = clusterOfEventReport(report);
      return cluster === undefined ? [] : [cluster, reportsKey(cluster, eventSourceOfReport(report))];
    });
  }

  async reconcile({ cluster, eventSource }: EventSourceKey, signal: AbortSignal): Promise<ReconcileResult> {
    if (this.#context.fleet.find(cluster) === undefined) return await this.#forget(cluster, signal);
    const before = this.#evaluators.get(cluster);
    try {
      return await (eventSource === undefined ? this.#reconcileCluster(cluster, signal) : this.#reconcileSource(cluster, eventSource));
    } catch (error) {
      // This replica has lost the cluster, or its connection was replaced: a fleet event requeues the cluster.
      if ((before ?? this.#evaluators.get(cluster))?.signal.aborted === true && !signal.aborted) return reconciled;
      if (eventSource !== undefined && isApiFault(error)) this.#options.statuses.reportFailure(cluster, eventSource, error.message);
      this.#context.fleet.probeNow(cluster);
      throw error;
    }
  }

  close(): void {
    for (const key of this.#evaluators.keys()) this.#close(key, "the controller ends");
  }

  async #reconcileCluster(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const cluster = this.#context.fleet.find(key);
    if (cluster === undefined || cluster.reachability.state === "unknown") {
      this.#close(key, "another replica owns the cluster");
      this.#options.statuses.releaseCluster(key);
      return reconciled;
    }
    if (cluster.managed.paused) return reconciled;
    const evaluator = this.#evaluatorFor(key, cluster.connection);
    const sourceState = clusterSourceStateOf(this.#context, this.#options.index, key, this.#reports.at(key));
    const { sources, management } = planClusterSources(sourceState, "controller", []);
    this.#options.statuses.setRelevant(key, sources);
    const { evaluated, denied } = readSources(sources, key, this.#context);
    if (evaluator?.isEvaluatedFromHere) this.#observe(evaluator, key, evaluated);
    await applySourceChanges(this.#context.hub, management, signal);
    await this.#deny(key, denied, signal);
    this.#remember(key, sources, evaluated);
    if (evaluator === undefined) return reconciled;
    await writeAgentPresence(this.#context, cluster, evaluator.agent, signal);
    if (evaluator.isEvaluatedFromHere) await this.#cleanUp(sourceState, evaluator, signal);
    if (evaluator.agent.state === "present") await this.#delegateToAgent(sourceState, evaluator, signal);
    return reconciled;
  }

  /** Deletes the EventReports of a cluster that is gone. */
  async #forget(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    this.#close(key, "the cluster is gone");
    this.#evaluatedAs.delete(key);
    await deleteReports(this.#context.hub, [...this.#reports.at(key)], signal);
    this.#options.statuses.forgetCluster(key);
    return reconciled;
  }

  #observe(evaluator: ClusterEvaluator, key: string, sources: readonly EvaluatedSource[]): void {
    const { namespace } = clusterIdOf(key);
    const findReport = (name: string) => this.#context.cache.find(gvkOf("EventReport"), namespace, name);
    const lastOf = (name: string) => lastMatches(this.#reportOn(key, name), findReport);
    evaluator.observe(sources, lastOf, (name) => this.#options.queue.add({ cluster: key, eventSource: name }));
  }

  /** Says why EventSources are not evaluated. What was found for the same tenant before stays, as what is deployed does. */
  async #deny(key: string, denied: readonly DeniedSource[], signal: AbortSignal): Promise<void> {
    for (const { name, tenant, because } of denied) {
      this.#options.statuses.reportFailure(key, name, because, { isDenied: true });
      const user = this.#evaluatedAs.get(key)?.get(name);
      if (user !== undefined && user !== managedUserOf(tenant))
        await deleteReports(this.#context.hub, [...this.#reports.at(reportsKey(key, name))], signal);
    }
  }

  /** Those that are denied, or invalid for a while, stay those of whom they were evaluated for. */
  #remember(key: string, names: readonly string[], evaluated: readonly EvaluatedSource[]): void {
    const before = this.#evaluatedAs.get(key);
    const kept = names.flatMap((name) => (before?.has(name) ? [[name, before.get(name) ?? ""] as const] : []));
    this.#evaluatedAs.set(key, new Map([...kept, ...evaluated.map(({ source, user = "" }) => [source.metadata.name, user] as const)]));
  }

  /** Deletes what an earlier agent has left: a later one must begin with the present reports. */
  async #cleanUp(sourceState: ClusterSourceState, evaluator: ClusterEvaluator, signal: AbortSignal): Promise<void> {
    if (evaluator.isCleanedUp) return;
    const both = AbortSignal.any([signal, evaluator.signal]);
    const left = await listLeftByAgent(evaluator.connection.cluster, both);
    await applySourceChanges(evaluator.connection.cluster, planClusterSources(sourceState, "controller", left).managed, both);
    await removeAgentRights(evaluator.connection.cluster, both);
    evaluator.isCleanedUp = true;
  }

  async #delegateToAgent(sourceState: ClusterSourceState, evaluator: ClusterEvaluator, signal: AbortSignal): Promise<void> {
    const { key } = sourceState;
    const { queue, statuses } = this.#options;
    const { cluster } = evaluator.connection;
    // What an earlier agent has left was not updated while this replica evaluated.
    if (evaluator.isObserving) await this.#cleanUp(sourceState, evaluator, signal);
    const collector = evaluator.delegateToAgent((change) => {
      if (change === undefined || change.concernsCluster) queue.add({ cluster: key });
      if (change !== undefined) queue.add({ cluster: key, eventSource: change.eventSource });
    });
    if (!collector.isReady) return;
    const { denied } = readSources(
      sourceState.sources.map(({ metadata }) => metadata.name),
      key,
      this.#context,
    );
    const withheld = new Set(denied.map(({ name }) => name));
    const plan = planClusterSources(sourceState, "agent", collector.objects(), withheld);
    const both = AbortSignal.any([signal, evaluator.signal]);
    const seeds = seedReportsFor(sourceState, plan, this.#context, (name) => collector.report(name) !== undefined);
    await this.#grantAgent(key, evaluator, plan.sources, both);
    try {
      for (const changes of seeds) await applySourceChanges(cluster, changes, both);
      await applySourceChanges(cluster, plan.managed, both);
    } catch (error) {
      if (isApiFault(error))
        for (const name of plan.sources) statuses.reportFailure(key, name, `for the cluster's agent: ${error.message}`);
      throw error;
    }
    for (const name of plan.sources) queue.add({ cluster: key, eventSource: name });
  }

  /** An agent may read what its EventSources name. Those of tenants are evaluated as the tenant. */
  async #grantAgent(key: string, evaluator: ClusterEvaluator, names: readonly string[], signal: AbortSignal): Promise<void> {
    const { cluster } = evaluator.connection;
    const own = readSources(names, key, this.#context).evaluated.flatMap(({ source, user }) => (user === undefined ? [source] : []));
    const rules = await rulesFor(own, cluster);
    if (equal(rules, evaluator.agentRules)) return;
    const refusal = await writeAgentRights(rules, cluster, signal);
    evaluator.agentRules = rules;
    if (refusal !== undefined)
      this.#context.telemetry.log("warn", "the rights of the agent are not kept", { cluster: key, error: refusal });
  }

  async #reconcileSource(key: string, eventSource: string): Promise<ReconcileResult> {
    const evaluator = this.#evaluators.get(key);
    if (evaluator === undefined || evaluator.signal.aborted || this.#context.fleet.find(key)?.managed.paused === true) return reconciled;
    // The watch, or the agent, may not have heard of it yet.
    if (readSources([eventSource], key, this.#context).denied.length > 0) return reconciled;
    const reports = [...this.#reports.at(reportsKey(key, eventSource))];
    const target = { key, evaluator, eventSource, existing: this.#reportOn(key, eventSource), reports };
    const { collector } = evaluator;
    const { statuses } = this.#options;
    if (collector === undefined) return await reportEvaluation(this.#context, statuses, target, evaluator.signal);
    if (!this.#isUsed(key, eventSource)) return reconciled;
    // A kind that is served only now, or somebody has taken the right away.
    if (mayNotRead(collector.source(eventSource))) {
      evaluator.agentRules = undefined;
      const names = new Set(this.#options.index.inCluster(key).uses.map((use) => use.eventSource));
      await this.#grantAgent(key, evaluator, [...names], evaluator.signal);
    }
    return await collectAgentReport(this.#context, statuses, { ...target, collector }, evaluator.signal);
  }

  #isUsed(key: string, name: string): boolean {
    const source = this.#context.cache.find(gvkOf("EventSource"), "", name);
    if (source === undefined || source.metadata.deletionTimestamp !== undefined) return false;
    return this.#options.index.inCluster(key).uses.some(({ eventSource }) => eventSource === name);
  }

  #reportOn(key: string, eventSource: string): KubeObject | undefined {
    const id = clusterIdOf(key);
    return this.#context.cache.find(gvkOf("EventReport"), id.namespace, eventReportName(eventSource, id));
  }

  #evaluatorFor(key: string, connection: ClusterConnection | undefined): ClusterEvaluator | undefined {
    const known = this.#evaluators.get(key);
    if (known !== undefined && known.connection === connection && !known.signal.aborted) return known;
    this.#close(key, "the cluster has another connection");
    if (connection === undefined || connection.signal.aborted) return undefined;
    const changed = () => this.#options.queue.add({ cluster: key });
    const interrupted = () => this.#context.fleet.probeNow(key);
    const tasks = this.#context.eventTasks;
    const isolation = tasks && { tasks, scope: key };
    const evaluator = new ClusterEvaluator(connection, { changed, interrupted, isolation }, this.#signal);
    this.#evaluators.set(key, evaluator);
    return evaluator;
  }

  #close(key: string, because: string): void {
    this.#evaluators.get(key)?.close(because);
    this.#evaluators.delete(key);
  }
}

/** Whether an agent says of an EventSource that it may not read something. */
function mayNotRead(copy: KubeObject | undefined): boolean {
  const failures = listAt(listAt(copy, "status.clusterInfo")[0], "failures");
  return failures.some((failure) => /\bcannot (?:list|watch) resource\b/.test(stringAt(failure, "message", "")));
}

/** The key of the report on an EventSource in a cluster, with its parts. */
function reportsKey(cluster: string, eventSource: string): string {
  return `${cluster} ${eventSource}`;
}
