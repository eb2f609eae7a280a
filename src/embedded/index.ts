/**
 * A Kubernetes cluster in this process: an API server with the controllers that a rollout needs.
 *
 * It is one Exchange, so whoever talks to it talks as to any cluster. It does not know who that is: no client, no socket,
 * no files but its own API data, and no time but the clock's.
 */
export { parseBehaviour, type Behaviour } from "./behaviour/index.ts";
export { startEmbeddedCluster, type EmbeddedClusterOptions, type EmbeddedCluster } from "./embedded-cluster.ts";
