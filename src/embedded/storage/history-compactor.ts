import type { Cancel, Clock } from "../../core/clock/index.ts";
import type { ObjectStorage } from "./object-storage.ts";

/** kube-apiserver's --etcd-compaction-interval. */
const intervalMs = 5 * 60_000;

/**
 * Forgets events when they are between five and ten minutes old, so that deleted objects do not stay in memory. Models apiserver
 * pkg/storage/etcd3/compact.go
 */
export function compactHistory(store: ObjectStorage, clock: Clock): Cancel {
  let oldRevision = store.revision;
  const arm = (): Cancel => clock.after(intervalMs, compact, { background: true });
  const compact = (): void => {
    store.compact(oldRevision);
    oldRevision = store.revision;
    cancel = arm();
  };
  let cancel = arm();
  return () => cancel();
}
