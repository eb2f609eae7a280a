import type { Match } from "../../evaluate/index.ts";
import { EventSourceWatcher } from "../../watch/index.ts";
import type { EventSource } from "../../api/index.ts";
import type { ClusterConnection } from "../../fleet/index.ts";
import { AgentLeaseWatcher, type AgentLeaseHandlers } from "./agent-lease.ts";
import { ReportCollector, type AgentChange } from "./report-collector.ts";
import { ReportWriter } from "./report-writer.ts";

/** Evaluates the events of one cluster, from here or by its agent, for as long as this replica has it and its connection lasts. */
export class ClusterEvaluator {
  readonly connection: ClusterConnection;
  readonly agent: AgentLeaseWatcher;
  /** Aborts when another replica owns the cluster, or its connection is replaced. */
  readonly signal: AbortSignal;
  /** Of each EventSource that is evaluated from here. */
  readonly #writers = new Map<string, ReportWriter>();
  readonly #stop = new AbortController();
  #watch: { readonly observer: EventSourceWatcher; readonly stop: AbortController } | undefined;
  #sources: ReadonlyMap<string, EventSource> = new Map();
  #delegation: { readonly collector: ReportCollector; readonly stop: AbortController } | undefined;
  /** What an earlier agent has left in the cluster is deleted. */
  isCleanedUp = false;

  constructor(connection: ClusterConnection, handlers: AgentLeaseHandlers, signal: AbortSignal) {
    this.connection = connection;
    this.signal = AbortSignal.any([signal, connection.signal, this.#stop.signal]);
    this.agent = new AgentLeaseWatcher(connection.cluster, handlers, this.signal);
  }

  close(because: string): void {
    this.#stop.abort(new Error(because));
  }

  /** Evaluates these EventSources from here. */
  observe(
    sources: readonly EventSource[],
    lastOf: (eventSource: string) => readonly Match[],
    onChange: (eventSource: string) => void,
  ): void {
    this.#delegation?.stop.abort(new Error("the cluster has no agent"));
    this.#delegation = undefined;
    this.#sources = new Map(sources.map((source) => [source.metadata.name, source]));
    if (this.#watch === undefined) {
      const stop = new AbortController();
      const observer = new EventSourceWatcher(this.connection.cluster, { onChange }, AbortSignal.any([this.signal, stop.signal]));
      this.#watch = { observer, stop };
    }
    this.#watch.observer.watch(sources, lastOf);
  }

  /** Leaves the evaluation to the agent and collects its reports. */
  delegateToAgent(changed: (change: AgentChange | undefined) => void): ReportCollector {
    this.#watch?.stop.abort(new Error("an agent evaluates the events"));
    this.#watch = undefined;
    this.#sources = new Map();
    this.#writers.clear();
    if (this.#delegation === undefined) {
      const stop = new AbortController();
      this.#delegation = {
        collector: new ReportCollector(this.connection.cluster, changed, AbortSignal.any([this.signal, stop.signal])),
        stop,
      };
      this.isCleanedUp = false;
    }
    return this.#delegation.collector;
  }

  /** The writer of the report on an EventSource that is evaluated from here. */
  writerFor(eventSource: string, options: () => ConstructorParameters<typeof ReportWriter>[0]): ReportWriter {
    let writer = this.#writers.get(eventSource);
    if (writer === undefined) this.#writers.set(eventSource, (writer = new ReportWriter(options())));
    return writer;
  }

  /** Collects the agent's reports, while there is one. */
  get collector(): ReportCollector | undefined {
    return this.#delegation?.collector;
  }

  /** The cluster has no agent that could evaluate its events. */
  get isEvaluatedFromHere(): boolean {
    return this.agent.state === "absent" || this.agent.state === "gone";
  }

  /** Events are evaluated from here. */
  get isObserving(): boolean {
    return this.#watch !== undefined;
  }

  /** An EventSource that is evaluated from here, and its watcher. */
  observed(eventSource: string): { readonly source: EventSource; readonly observer: EventSourceWatcher } | undefined {
    const source = this.#sources.get(eventSource);
    return source && this.#watch && { source, observer: this.#watch.observer };
  }
}
