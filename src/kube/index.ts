/**
 * The Kubernetes client: `connect` creates a Cluster from an Exchange, `openCluster` opens one from a kubeconfig, and
 * an Informer maintains a cache of the objects of a kind.
 *
 * It knows the wire protocol (paths, discovery, patches, watches, errors, credentials) and nothing of what objects
 * mean. Objects are passed on unchanged. Only here does a Status become a fault.
 */
export {
  ApiFault,
  isAlreadyExists,
  isApiFault,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  type ApplyConflict,
  type StatusCause,
  type StatusDetails,
} from "./api-fault.ts";
export type { Cluster, ReadOptions, ServerVersion } from "./cluster.ts";
export { backoffMs, type Backoff } from "./backoff.ts";
export { connect, type ConnectOptions } from "./connect.ts";
export { ConnectionFault } from "./connection-fault.ts";
export type { Discovery } from "./discovery.ts";
export type { ServedGroup, ServedVersion } from "./discovery-document.ts";
export { newInformer, Informer, type InformerOptions } from "./informer.ts";
export { readJson } from "./json.ts";
export type { ListOptions, ListPage, ObjectList } from "./list.ts";
export type { LogOptions } from "./logs.ts";
export { withImpersonation, thisMachine, type Impersonation, type Machine } from "./config/index.ts";
export type { Index, IndexFunc } from "./object-index.ts";
export { openCluster, type OpenedCluster, type OpenOptions } from "./open-cluster.ts";
export { isTransient } from "./is-transient.ts";
export {
  groupResourceOf,
  hasStatus,
  isUnknownKind,
  UnknownKind,
  type ObjectLocation,
  type Resource,
  type KindOrResource,
} from "./resource.ts";
export type { InformerEvent } from "./reflector.ts";
export { restart, type RestartOptions } from "./restart.ts";
export { runInformer, type InformerHandler } from "./run-informer.ts";
export { withRetry, type RetryOptions } from "./with-retry.ts";
export type { Selection } from "./selection.ts";
export { waitForKind } from "./wait-for-kind.ts";
export type { ObjectChange, Lister } from "./object-store.ts";
export { openTransport, type Endpoint, type Transport } from "./transport/index.ts";
export type { WatchEvent, WatchOptions } from "./watch.ts";
export type { ApplyOptions, CreateOptions, Deleted, DeleteOptions, Patch, WriteOptions } from "./write-options.ts";
