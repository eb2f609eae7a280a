import type { Match } from "../../evaluate/index.ts";
import { EventSourceWatcher } from "../../watch/index.ts";
import type { EventSource } from "../../api/index.ts";
import type { ClusterConnection } from "../../fleet/index.ts";
import { AgentLeaseWatcher } from "./agent-lease.ts";
import { ReportCollector, type AgentChange } from "./report-collector.ts";
import { LastReported } from "./last-reported.ts";

/** What is kept of a cluster for as long as it is ours and its connection lasts. */
export class ClusterEvaluator {
  readonly link: ClusterConnection;
  readonly agent: AgentLeaseWatcher;
  /** Aborts when the cluster is not ours any more, or has another connection. */
  readonly signal: AbortSignal;
  /** What was reported of each EventSource, while it is evaluated from here. */
  readonly lastReported = new LastReported();
  readonly #stop = new AbortController();
  #watch: { readonly observer: EventSourceWatcher; readonly stop: AbortController } | undefined;
  #sources: ReadonlyMap<string, EventSource> = new Map();
  #relay: { readonly delegateToAgent: ReportCollector; readonly stop: AbortController } | undefined;
  /** What an agent had here, before us or since, is gone: it would be out of date when one comes back. */
  isCleanedUp = false;

  constructor(link: ClusterConnection, changed: () => void, signal: AbortSignal) {
    this.link = link;
    this.signal = AbortSignal.any([signal, link.signal, this.#stop.signal]);
    this.agent = new AgentLeaseWatcher(link.cluster, changed, this.signal);
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
    this.#relay?.stop.abort(new Error("there is no agent any more"));
    this.#relay = undefined;
    this.#sources = new Map(sources.map((source) => [source.metadata.name, source]));
    if (this.#watch === undefined) {
      const stop = new AbortController();
      const observer = new EventSourceWatcher(this.link.cluster, { onChange }, AbortSignal.any([this.signal, stop.signal]));
      this.#watch = { observer, stop };
    }
    this.#watch.observer.watch(sources, lastOf);
  }

  /** Leaves the evaluation to an agent, and follows what it says. */
  delegateToAgent(changed: (news: AgentChange | undefined) => void): ReportCollector {
    this.#watch?.stop.abort(new Error("an agent evaluates the events"));
    this.#watch = undefined;
    this.#sources = new Map();
    this.lastReported.clear();
    if (this.#relay === undefined) {
      const stop = new AbortController();
      this.#relay = { delegateToAgent: new ReportCollector(this.link.cluster, changed, AbortSignal.any([this.signal, stop.signal])), stop };
      this.isCleanedUp = false;
    }
    return this.#relay.delegateToAgent;
  }

  /** What is carried from an agent, while there is one. */
  get collector(): ReportCollector | undefined {
    return this.#relay?.delegateToAgent;
  }

  /** Events are evaluated from here. */
  get isObserving(): boolean {
    return this.#watch !== undefined;
  }

  /** An EventSource that is evaluated from here, and by what. */
  observed(eventSource: string): { readonly source: EventSource; readonly observer: EventSourceWatcher } | undefined {
    const source = this.#sources.get(eventSource);
    return source && this.#watch && { source, observer: this.#watch.observer };
  }
}
