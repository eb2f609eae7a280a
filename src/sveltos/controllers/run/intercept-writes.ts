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
  return interceptWrites(cluster, async (write) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      return await write();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  });
}

/**
 * A cluster that asks before every write. A leader that was suspended goes on with what it knew before its timers tell it
 * that another leads, and would create again what that one has deleted.
 */
export function guardWrites(cluster: Cluster, assertAllowed: () => void): Cluster {
  return interceptWrites(cluster, async (write) => {
    assertAllowed();
    return write();
  });
}

type Intercept = <T>(write: () => Promise<T>) => Promise<T>;

function interceptWrites(cluster: Cluster, intercept: Intercept): Cluster {
  const intercepted =
    <A extends readonly unknown[], T>(write: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      intercept(() => write(...args));
  return {
    ...cluster,
    create: intercepted((...args: Parameters<Cluster["create"]>) => cluster.create(...args)),
    replace: intercepted((...args: Parameters<Cluster["replace"]>) => cluster.replace(...args)),
    patch: intercepted((...args: Parameters<Cluster["patch"]>) => cluster.patch(...args)),
    apply: intercepted((...args: Parameters<Cluster["apply"]>) => cluster.apply(...args)),
    delete: intercepted((...args: Parameters<Cluster["delete"]>) => cluster.delete(...args)),
    impersonate: (user) => interceptWrites(cluster.impersonate(user), intercept),
  };
}
