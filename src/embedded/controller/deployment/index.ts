/**
 * Rolls a Deployment's template out: one ReplicaSet for each template, scaled so that the promised number of Pods stays up.
 *
 * Models pkg/controller/deployment. It never touches Pods; ReplicaSets do.
 */
export { deploymentController } from "./deployment-controller.ts";
