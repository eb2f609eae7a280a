/**
 * Binds claims to existing volumes or to provisioned ones, and reclaims the volumes of deleted claims.
 *
 * It stores no data and knows only which claims pods use; the scheduler selects nodes.
 */
export { ephemeralVolumeController } from "./ephemeral-volume-controller.ts";
export { volumeController } from "./volume-controller.ts";
