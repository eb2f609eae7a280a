import { Fault } from "../core/fault/index.ts";
import type { InformerEvent, ObjectChange } from "../kube/index.ts";
import type { Reconcile, WorkQueue } from "./work-queue.ts";

/** Where a controller hears of changes: an Informer, and whom each of its changes concerns. */
export type Source<Key = string> = {
  readonly events: AsyncIterable<InformerEvent>;
  /** The keys to look at because of a change. A change from one thing to another concerns both. */
  readonly keysOf: (change: ObjectChange) => Iterable<Key>;
  /** Work does not wait for it: its kind may never be served. Default false. */
  readonly optional?: boolean;
  /** Told of trouble with it, which it recovers from by itself. Default: nobody is. */
  readonly interrupted?: (because: Fault) => void;
};

/**
 * Reconciles what its sources tell of, from when all of them have told everything that is there until the signal
 * aborts; then it resolves when the last work has ended. It rejects when a source fails for good, after all work has ended.
 *
 * Nothing polls: a key is worked on because something changed, because its last run asked for it or because it failed.
 * The queue is handed in where others add keys as well, or want to read its state.
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
  const listening = sources.map(async (source, index) => {
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
  await Promise.all(listening);
  if (stop.signal.aborted && !signal.aborted) throw stop.signal.reason;
}

/** Adds the keys of every change until the signal aborts, also when the source hangs by then. */
async function enqueueEvents<Key>(source: Source<Key>, queue: WorkQueue<Key>, synced: () => void, signal: AbortSignal): Promise<void> {
  const changes = source.events[Symbol.asyncIterator]();
  const leave = () => void changes.return?.();
  if (signal.aborted) return;
  signal.addEventListener("abort", leave, { once: true });
  try {
    for (let next = await changes.next(); next.done !== true; next = await changes.next()) {
      const change = next.value;
      if (change.type === "synced") synced();
      else if (change.type === "interrupted") source.interrupted?.(change.because);
      else for (const key of source.keysOf(change)) queue.add(key);
    }
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
