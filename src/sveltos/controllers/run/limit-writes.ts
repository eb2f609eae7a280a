import type { Cluster } from "../../../kube/index.ts";

/** Enough to keep an API server busy, and few enough that a Lease renewal behind them is in time. */
export const maxConcurrentWrites = 64;

/**
 * A cluster that makes a limited number of writes at once; others wait. Thousands of events must not delay the renewal of
 * Leases, without which all work ends.
 */
export function limitWrites(cluster: Cluster): Cluster {
  const waiting: (() => void)[] = [];
  let free = maxConcurrentWrites;
  const limited =
    <A extends readonly unknown[], T>(write: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free--;
      try {
        return await write(...args);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    };
  return {
    ...cluster,
    create: limited((...args: Parameters<Cluster["create"]>) => cluster.create(...args)),
    replace: limited((...args: Parameters<Cluster["replace"]>) => cluster.replace(...args)),
    patch: limited((...args: Parameters<Cluster["patch"]>) => cluster.patch(...args)),
    apply: limited((...args: Parameters<Cluster["apply"]>) => cluster.apply(...args)),
    delete: limited((...args: Parameters<Cluster["delete"]>) => cluster.delete(...args)),
  };
}
