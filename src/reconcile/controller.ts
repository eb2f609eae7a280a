import { Fault } from "../core/fault/index.ts";
import type { InformerEvent, ObjectChange } from "../kube/index.ts";
import type { Reconcile, WorkQueue } from "./work-queue.ts";

/**
 * A source of events for a controller: an informer, and a mapping from its events to keys. Models controller-runtime
 * source.Source with handler.EnqueueRequestsFromMapFunc
 */
export type Source<Key = string> = {
  readonly events: AsyncIterable<InformerEvent>;
  /** The keys to enqueue for a change. A changed reference enqueues both its old and its new target. */
  readonly keysOf: (change: ObjectChange) => Iterable<Key>;
  /** Reconciling does not wait for it to sync: its kind may never be served. Default false. */
  readonly optional?: boolean;
  /** Receives interruptions, from which the source recovers by itself. Default: ignored. */
  readonly interrupted?: (because: Fault) => void;
};

/**
 * Reconciles the keys of its sources: starts when all of them have synced, and resolves when the signal has aborted and
 * the last reconcile has ended. Rejects when a source fails permanently, after all reconciles have ended.
 *
 * Nothing polls: a key is reconciled because something changed, because its last result asked for it or because it
 * failed. The queue is a parameter, so that others can add keys and read its state.
 */
export async function runControlLoop<Key>(
  sources: readonly Source<Key>[],
  queue: WorkQueue<Key>,
  reconcile: Reconcile<Key>,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const synced = sources.map(() => Promise.withResolvers<void>());
  const enqueuing = sources.map(async (source, index) => {
    try {
      await enqueueEvents(source, queue, () => synced[index]!.resolve(), either);
      if (!either.aborted) throw new Fault("a source of a controller has ended");
    } catch (error) {
      stop.abort(error);
    } finally {
      synced[index]!.resolve();
    }
  });
  await Promise.all(synced.filter((_, index) => sources[index]!.optional !== true).map(({ promise }) => promise));
  await queue.run(reconcile, either);
  await Promise.all(enqueuing);
  if (stop.signal.aborted && !signal.aborted) throw stop.signal.reason;
}

/** Enqueues the keys of every event until the signal aborts, even when the source hangs. */
async function enqueueEvents<Key>(source: Source<Key>, queue: WorkQueue<Key>, synced: () => void, signal: AbortSignal): Promise<void> {
  const changes = source.events[Symbol.asyncIterator]();
  const unsubscribe = () => void changes.return?.();
  if (signal.aborted) return;
  signal.addEventListener("abort", unsubscribe, { once: true });
  try {
    for (let next = await changes.next(); next.done !== true; next = await changes.next()) {
      const change = next.value;
      if (change.type === "synced") synced();
      else if (change.type === "interrupted") source.interrupted?.(change.because);
      else for (const key of source.keysOf(change)) queue.add(key);
    }
  } finally {
    signal.removeEventListener("abort", unsubscribe);
  }
}
