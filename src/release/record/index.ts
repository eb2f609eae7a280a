/**
 * Release records that are Helm's, and the Lease that keeps two deploys of one release apart.
 *
 * A Revision is plain data; `encode` and `decode` are Helm's storage format, History reads and writes it in a cluster, and
 * the rest says how a revision goes from pending to its end. The marks say whose an object is. It does not know what is
 * deployed, in which order, or how that is told: it writes its own Secrets, ConfigMaps and Leases and nothing else.
 */
export { plainChart } from "./chart.ts";
export { decode, encode, objectionTo } from "./codec.ts";
export type { Body } from "./helm-json.ts";
export { historyLimit, historyOf, superfluousIn, type History, type HistoryOptions } from "./history.ts";
export { leaseDurationMs, type AcquireOptions, type Hold, type Wait } from "../../reconcile/index.ts";
export { findHolder, type Holder, type HolderOptions } from "./holder.ts";
export { hasSucceeded, hookOf, withHookRun } from "./hook.ts";
export { acquire, leaseNameOf } from "./lease.ts";
export {
  abandoned,
  begin,
  continuationOf,
  deleting,
  isSame,
  isUnfinished,
  turned,
  type BeginOptions,
  type Content,
  type Continuation,
  type RecordedOperation,
} from "./lifecycle.ts";
export { joinManifests, readParts, splitManifests, type Part } from "./manifest-text.ts";
export { marked, ownerOf } from "./mark.ts";
export { missingRelease } from "./missing.ts";
export {
  deployedOf,
  hookDeletePolicies,
  hookEvents,
  hookOutputLogPolicies,
  isPending,
  latestOf,
  objectionToName,
  releaseText,
  type Hook,
  type HookDeletePolicy,
  type HookEvent,
  type HookOutputLogPolicy,
  type HookPhase,
  type HookRun,
  type Release,
  type Revision,
  type State,
  type Storage,
  type Stored,
} from "./revision.ts";
export { revisionIn, storageName, storageObjectOf } from "./storage-object.ts";
