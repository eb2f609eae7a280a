/**
 * Keeps Pods that have names of their own and keep them, with the volumes that go with each name.
 *
 * Models pkg/controller/statefulset, with the gates of 1.35: maxUnavailable is off, so updates go one Pod at a time.
 */
export { statefulSetController } from "./statefulset-controller.ts";
