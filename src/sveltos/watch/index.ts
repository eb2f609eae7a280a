/**
 * Watches one cluster for a set of EventSources that may change at any time, and says which objects make an event there.
 *
 * One watch for each kind is shared by all EventSources that look at it, and every change is judged once for each of them.
 * The objects stay where the watch keeps them. It reads the cluster it is given and writes nothing; it does not know whether
 * that is a managed cluster seen from outside or the one it runs in, or what becomes of the findings.
 */
export { EventSourceWatcher, type Observation, type EventSourceWatcherOptions } from "./event-source-watcher.ts";
