/**
 * Runs Pods with stable names and their volumes.
 *
 * Models pkg/controller/statefulset, with the gates of 1.35: maxUnavailable is off, so updates replace one Pod at a
 * time.
 */
export { statefulSetController } from "./statefulset-controller.ts";
