/**
 * Keeps as many Pods as a ReplicaSet (or a ReplicationController, its forebear) asks for.
 *
 * Models pkg/controller/replicaset and pkg/controller/replication. It knows nothing of rollouts.
 */
export { replicaSetController, replicationController } from "./replicaset-controller.ts";
