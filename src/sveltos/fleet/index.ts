/**
 * The managed clusters of a fleet: registration, connections, status, label matching and sharding.
 *
 * A Fleet watches the management cluster's SveltosClusters and Cluster API Clusters, maintains a connection to each with
 * the kubeconfig in its Secret, and writes the status of SveltosClusters. `matchingClusters` and `selectClusters` are pure.
 * It does not know what is deployed to clusters or why, and opens no connection by itself: the caller passes an opener.
 *
 * A controller that watches managed clusters reads `events`. On `ready` it uses `cluster.connection` until the
 * connection's signal aborts. On `lost` it may go on waiting: the connection stays open and its watches resume. A
 * controller whose request to a cluster fails calls `probeNow`. `shardFleet` shares the clusters among replicas.
 */
export { noMatchText, unavailableBecause } from "./cluster-availability.ts";
export { controllerShards, findControllerAbsence, watchController, type ControllerAbsence } from "./controller-presence.ts";
export { clusterUidOf, isClusterReady, type FleetCluster, type FleetEvent, type ClusterConnection } from "./fleet-cluster.ts";
export { Fleet, readyClusters } from "./fleet.ts";
export { generateKubeconfig } from "./generate-kubeconfig.ts";
export { clusterIdOf, clusterKey } from "./cluster-key.ts";
export { clusterOutlineOf, listClusterObjects, listClusters, type ClusterOutline } from "./list-clusters.ts";
export { listSveltosObjects } from "./list-sveltos-objects.ts";
export { selectClusters, referencedCluster, matchingClusters } from "./matching-clusters.ts";
export { openManagedCluster } from "./open-managed-cluster.ts";
export { embeddedKubeconfig, inProcessOpener, networkOpener, type OpenKubeconfig } from "./open-kubeconfig.ts";
export { readClusterIdentity } from "./probe.ts";
export { kubeconfigIn } from "./kubeconfig-secret.ts";
export { requestToken } from "./request-token.ts";
export { deregister, register } from "./register.ts";
export { runClusterSetController, selectedClustersOf } from "./cluster-set-controller.ts";
export { runningSveltosControllers } from "./sveltos-controllers.ts";
export { shardFleet } from "./shard-fleet.ts";
