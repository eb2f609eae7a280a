import type { Cluster } from "../../../kube/index.ts";

/** How many writes are under way at once: enough to keep a server busy, and few enough that a Lease is renewed in time behind them. */
export const maxConcurrentWrites = 64;

/**
 * A cluster whose writes wait in line where there are many. When thousands of events come at once, what is asked of the
 * server must not stand in the way of the Leases, without which all work ends.
 */
export function limitWrites(cluster: Cluster): Cluster {
  const waiting: (() => void)[] = [];
  let free = maxConcurrentWrites;
  const inLine =
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
    create: inLine((...args: Parameters<Cluster["create"]>) => cluster.create(...args)),
    replace: inLine((...args: Parameters<Cluster["replace"]>) => cluster.replace(...args)),
    patch: inLine((...args: Parameters<Cluster["patch"]>) => cluster.patch(...args)),
    apply: inLine((...args: Parameters<Cluster["apply"]>) => cluster.apply(...args)),
    delete: inLine((...args: Parameters<Cluster["delete"]>) => cluster.delete(...args)),
  };
}
