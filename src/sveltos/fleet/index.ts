/**
 * The clusters of a fleet: which there are, how to reach each, which match, and how they come and go.
 *
 * A Fleet follows the management cluster's SveltosClusters and Cluster API Clusters, keeps a connection to each from the
 * kubeconfig in its Secret, and keeps the status of SveltosClusters. `matchingClusters` and `choose` are pure. It does
 * not know what is deployed to clusters or why, and opens nothing by itself: the way to a cluster is handed in.
 *
 * What watches a managed cluster reads `events`: on `ready` it works with `cluster.link`, until `link.signal` aborts; on
 * `lost` it may go on waiting, since the link stays and its watches recover. Whoever fails to reach a cluster says so
 * with `suspect`. Where replicas share the clusters, `Shards` (see reconcile) decides who attends to which: see `shareOut`.
 */
export {
  isClusterReady,
  notReadyReason,
  type FleetCluster,
  type FleetEvent,
  type ClusterConnection,
  type Reachability,
} from "./fleet-cluster.ts";
export { flattenKubeconfig, type ReadFile } from "./flatten-kubeconfig.ts";
export { Fleet, readyClusters, type FleetOptions } from "./fleet.ts";
export { generateKubeconfig, type GenerateKubeconfigOptions } from "./generate-kubeconfig.ts";
export { clusterIdOf, clusterKey } from "./cluster-key.ts";
export { listClusters, type ClusterOutline } from "./list-clusters.ts";
export {
  selectClusters,
  referencedCluster,
  matchingClusters,
  type ClusterSetSelection,
  type ClusterCriteria,
} from "./matching-clusters.ts";
export { embeddedKubeconfig, inProcessOpener, networkOpener, type ClusterHandle, type OpenKubeconfig } from "./open-kubeconfig.ts";
export { deregister, register, type Registration } from "./register.ts";
export { runClusterSetController, selectedClustersOf } from "./cluster-set-controller.ts";
export { shardFleet } from "./shard-fleet.ts";
