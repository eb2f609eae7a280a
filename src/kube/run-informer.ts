import { Fault } from "../core/fault/index.ts";
import type { Cluster } from "./cluster.ts";
import { Informer, type InformerOptions } from "./informer.ts";
import type { KindOrResource } from "./resource.ts";
import { restart } from "./restart.ts";

type InformerHandler = {
  /** Reads a new informer to its end. */
  readonly read: (informer: Informer) => Promise<void>;
  /** Receives the fault that ended an informer, before it is replaced. */
  readonly onInterrupted: (because: Fault) => void;
};

const backoff = { firstMs: 100, maxMs: 300_000 };

/**
 * Reads informers of a kind one after the other until the signal aborts. An informer ends by itself only after an error that
 * retries do not fix, such as a refused request. A later one may still succeed, so it is replaced, with growing delays.
 * Rejects with errors that are no Fault.
 */
export async function runInformer(
  cluster: Cluster,
  target: KindOrResource,
  options: InformerOptions & { readonly signal: AbortSignal },
  { read, onInterrupted }: InformerHandler,
): Promise<void> {
  const { clock, random } = cluster;
  const { signal } = options;
  await restart({ clock, random, signal, backoff }, async () => {
    try {
      await read(new Informer(cluster, target, options));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Fault)) throw error;
      onInterrupted(error);
    }
  });
}
