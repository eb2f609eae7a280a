/**
 * Runs the desired number of Pods of a ReplicaSet or a ReplicationController.
 *
 * Models pkg/controller/replicaset and pkg/controller/replication. It knows nothing of rollouts.
 */
export { replicaSetController, replicationController } from "./replicaset-controller.ts";
