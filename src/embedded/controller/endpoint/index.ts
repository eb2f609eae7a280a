/**
 * Keeps the addresses behind Services: Endpoints and EndpointSlices from pods, and EndpointSlices from Endpoints that
 * somebody wrote by hand.
 *
 * It goes by selectors and by what pods' statuses say; it does not know how pods come to be ready.
 */
export { endpointController } from "./endpoint-controller.ts";
export { endpointSliceMirroring } from "./endpoint-slice-mirroring.ts";
