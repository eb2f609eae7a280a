/**
 * Prepares manifests for a plan: resolves the scope of their kinds by discovery, orders them, reads the previous manifests
 * and the hooks that have succeeded from records, and throws all problems at once.
 *
 * The one implementation for apply, deploy, status and the Sveltos side. It reads clusters and changes nothing, and it does
 * not know how a plan is run or how records are stored.
 */
export { asApplied } from "./as-applied.ts";
export { desiredOf, liveQueryOf } from "./desired-manifest.ts";
export { hasRun, hookEventOf, hookIndexOf, hooksDone, hooksDoneIn } from "./hooks-done.ts";
export { manifestsInRevision } from "./manifests-in-revision.ts";
export { namespaceRef, readNamespaceState } from "./namespace-state.ts";
export { orderRecorded } from "./order-recorded.ts";
export { planOrThrow } from "./plan-or-throw.ts";
export { prepare, tryPrepare, type PreparedManifest, type PreparedManifests } from "./prepare.ts";
export { readPreviousManifests, readRevisionManifests } from "./previous-manifests.ts";
export { readKinds } from "./read-kinds.ts";
export { withNamespace } from "./with-namespace.ts";
