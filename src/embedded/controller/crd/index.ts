/** Accepts the names of CRDs, serves their resources, and deletes their objects with them. */
export { crdController } from "./crd-controller.ts";
