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
export { isReady, reasonOf, type FleetCluster, type FleetEvent, type Link, type Reach } from "./cluster.ts";
export { flatten, type ReadFile } from "./flatten.ts";
export { Fleet, readyClusters, type FleetOptions } from "./fleet.ts";
export { generateKubeconfig, type GenerateOptions } from "./generate.ts";
export { clusterIdOf, clusterKey } from "./id.ts";
export { listClusters, type ClusterOutline } from "./list.ts";
export { choose, clusterOf, matchingClusters, type Choice, type Wanted } from "./match.ts";
export { embeddedKubeconfig, inProcess, overNetwork, type Opened, type OpenKubeconfig } from "./open.ts";
export { deregister, register, type Registration } from "./register.ts";
export { keepSets, selectedBy } from "./sets.ts";
export { shareOut } from "./share.ts";
