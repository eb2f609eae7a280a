/** Accepts the names of CRDs, serves their resources, lists their APIServices, and deletes their objects with them. */
export { apiServiceController } from "./api-service-controller.ts";
export { crdController } from "./crd-controller.ts";
