/**
 * Rolls out a Deployment's template: one ReplicaSet for each template, scaled within maxSurge and maxUnavailable.
 *
 * Models pkg/controller/deployment. It never touches Pods; ReplicaSets do.
 */
export { deploymentController } from "./deployment-controller.ts";
