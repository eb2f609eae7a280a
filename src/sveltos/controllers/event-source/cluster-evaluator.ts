import type { Match } from "../../evaluate/index.ts";
import { EventSourceWatcher, type EvaluationIsolation } from "../../watch/index.ts";
import type { EventSource } from "../../api/index.ts";
import type { ClusterConnection } from "../../fleet/index.ts";
import { AgentLeaseWatcher, type AgentLeaseHandlers } from "./agent-lease.ts";
import { ReportCollector, type AgentChange } from "./report-collector.ts";
import { ReportWriter } from "./report-writer.ts";
import type { EvaluatedSource } from "./source-access.ts";

/** Evaluates the events of one cluster, from here or by its agent, for as long as this replica has it and its connection lasts. */
export class ClusterEvaluator {
  readonly connection: ClusterConnection;
  readonly agent: AgentLeaseWatcher;
  /** Aborts when another replica owns the cluster, or its connection is replaced. */
  readonly signal: AbortSignal;
  /** Of each EventSource that is evaluated from here. */
  readonly #writers = new Map<string, ReportWriter>();
  readonly #isolation: Omit<EvaluationIsolation, "ownerOf"> | undefined;
  readonly #stop = new AbortController();
  /** By user: what one tenant may read is not seen by another. The controller itself is the empty name. */
  readonly #watches = new Map<string, { readonly observer: EventSourceWatcher; readonly stop: AbortController }>();
  #sources: ReadonlyMap<string, EvaluatedSource> = new Map();
  #delegation: { readonly collector: ReportCollector; readonly stop: AbortController } | undefined;
  /** What an earlier agent has left in the cluster is deleted. */
  isCleanedUp = false;
  /** What the agent was allowed to read last. */
  agentRules: unknown;

  /** `isolation`: scripts and CEL rules run elsewhere. Default: here. */
  constructor(
    connection: ClusterConnection,
    { isolation, ...handlers }: AgentLeaseHandlers & { readonly isolation?: Omit<EvaluationIsolation, "ownerOf"> | undefined },
    signal: AbortSignal,
  ) {
    this.connection = connection;
    this.#isolation = isolation;
    this.signal = AbortSignal.any([signal, connection.signal, this.#stop.signal]);
    this.agent = new AgentLeaseWatcher(connection.cluster, handlers, this.signal);
  }

  close(because: string): void {
    this.#stop.abort(new Error(because));
  }

  /** Evaluates these EventSources from here, each as its user. */
  observe(
    sources: readonly EvaluatedSource[],
    lastOf: (eventSource: string) => readonly Match[],
    onChange: (eventSource: string) => void,
  ): void {
    this.#delegation?.stop.abort(new Error("the cluster has no agent"));
    this.#delegation = undefined;
    const before = this.#sources;
    this.#sources = new Map(sources.map((each) => [each.source.metadata.name, each]));
    const users = Map.groupBy(sources, ({ user = "" }) => user);
    for (const user of this.#watches.keys()) if (!users.has(user)) this.#stopWatch(user, "no EventSource is of this tenant any more");
    for (const [user, own] of users) {
      // What was found for another tenant is not to be kept for this one.
      const isSameUser = (name: string) => !before.has(name) || (before.get(name)?.user ?? "") === user;
      this.#watchAs(user, onChange).watch(
        own.map(({ source }) => source),
        (name) => (isSameUser(name) ? lastOf(name) : []),
      );
    }
  }

  #watchAs(user: string, onChange: (eventSource: string) => void): EventSourceWatcher {
    const known = this.#watches.get(user);
    if (known !== undefined) return known.observer;
    const stop = new AbortController();
    const { cluster } = this.connection;
    const observer = new EventSourceWatcher(
      user === "" ? cluster : cluster.impersonate(user),
      { onChange, byNamespace: user !== "", isolation: isolationAs(user, this.#isolation) },
      AbortSignal.any([this.signal, stop.signal]),
    );
    this.#watches.set(user, { observer, stop });
    return observer;
  }

  #stopWatch(user: string, because: string): void {
    this.#watches.get(user)?.stop.abort(new Error(because));
    this.#watches.delete(user);
  }

  /** Leaves the evaluation to the agent and collects its reports. */
  delegateToAgent(changed: (change: AgentChange | undefined) => void): ReportCollector {
    for (const user of this.#watches.keys()) this.#stopWatch(user, "an agent evaluates the events");
    this.#sources = new Map();
    this.#writers.clear();
    if (this.#delegation === undefined) {
      const stop = new AbortController();
      this.#delegation = {
        collector: new ReportCollector(this.connection.cluster, changed, AbortSignal.any([this.signal, stop.signal])),
        stop,
      };
      this.isCleanedUp = false;
      this.agentRules = undefined;
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
    return this.#watches.size > 0;
  }

  /** An EventSource that is evaluated from here, and its watcher. */
  observed(eventSource: string): { readonly source: EventSource; readonly observer: EventSourceWatcher } | undefined {
    const found = this.#sources.get(eventSource);
    const watch = found && this.#watches.get(found.user ?? "");
    return found && watch && { source: found.source, observer: watch.observer };
  }
}

/** All EventSources of a tenant have one turn together, each of the platform has its own. */
export function isolationAs(user: string, isolation: Omit<EvaluationIsolation, "ownerOf"> | undefined): EvaluationIsolation | undefined {
  return isolation && { ...isolation, ownerOf: (eventSource) => (user === "" ? `EventSource ${eventSource}` : user) };
}
