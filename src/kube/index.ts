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
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooLarge,
  isUnauthorized,
} from "./api-fault.ts";
export type { Cluster } from "./cluster.ts";
export { backoffMs, type Backoff } from "./backoff.ts";
export { connect, isNotServed } from "./connect.ts";
export { ConnectionFault } from "./connection-fault.ts";
export type { ServedGroup } from "./discovery-document.ts";
export { flattenKubeconfig } from "./flatten-kubeconfig.ts";
export { newInformer, Informer } from "./informer.ts";
export { readJson } from "./json.ts";
export type { ListOptions } from "./list.ts";
export { thisMachine, type Machine } from "./config/index.ts";
export type { Index, IndexFunc } from "./object-index.ts";
export { openEndpoint } from "./open-endpoint.ts";
export { openCluster, type OpenedCluster, type OpenOptions } from "./open-cluster.ts";
export { isTransient } from "./is-transient.ts";
export { readContexts } from "./read-contexts.ts";
export { hasStatus, isUnknownKind, UnknownKind, type ObjectLocation, type Resource, type KindOrResource } from "./resource.ts";
export { isOlderResourceVersion, type InformerEvent } from "./reflector.ts";
export { restart } from "./restart.ts";
export { Subscription } from "./subscription.ts";
export { runInformer } from "./run-informer.ts";
export type { Selection } from "./selection.ts";
export { waitForKind } from "./wait-for-kind.ts";
export type { ObjectChange, Lister } from "./object-store.ts";
export { openTransport, type Transport } from "./transport/index.ts";
export type { WatchEvent } from "./watch.ts";
export { WriteGate } from "./write-gate.ts";
export type { Patch, WriteOptions } from "./write-options.ts";
