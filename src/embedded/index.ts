/**
 * A Kubernetes cluster in this process: an API server with the controllers that a rollout needs.
 *
 * It is one Exchange, so clients talk to it as to any cluster. It knows no client, no socket, no files but its own API
 * data, and no time but the clock's.
 */
export { parseBehaviour, type Behaviour, type BehaviourRule } from "./behaviour/index.ts";
export { kubernetesVersion } from "./kubernetes-version.ts";
export { ClusterData } from "./storage/index.ts";
export { seededRandom } from "./seeded-random.ts";
export { startEmbeddedCluster, type AuthorizationMode, type EmbeddedCluster } from "./embedded-cluster.ts";
