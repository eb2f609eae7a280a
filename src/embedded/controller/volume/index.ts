/**
 * Binds claims to volumes: to ones that were made by hand, or to ones it makes as a provisioner would, and gives them
 * back when the claim goes.
 *
 * It stores no data and does not know pods beyond which claims they use; the scheduler tells it of consumers.
 */
export { ephemeralVolumeController } from "./ephemeral-volume-controller.ts";
export { volumeController } from "./volume-controller.ts";
export { defaultStorageClass } from "./default-storage-class.ts";
