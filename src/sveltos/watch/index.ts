/**
 * Watches one cluster for a set of EventSources that may change at any time, and evaluates them.
 *
 * All EventSources that select a kind share one informer and its store, and every change is evaluated once for each of
 * them. It writes nothing. It does not know whether the cluster is a remote one or the one it runs in, or how results are
 * reported.
 */
export type { EvaluationIsolation } from "./isolated-evaluation.ts";
export { EventSourceWatcher, type Observation } from "./event-source-watcher.ts";
