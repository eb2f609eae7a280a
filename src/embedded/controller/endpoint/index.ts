/**
 * Maintains Endpoints and EndpointSlices of Services: from pods, and from Endpoints that users wrote.
 *
 * It reads selectors and pod statuses; it does not know how pods become ready.
 */
export { endpointController } from "./endpoint-controller.ts";
export { endpointSliceMirroring } from "./endpoint-slice-mirroring.ts";
