/**
 * Makes CustomResourceDefinitions come true: accepts their names, has their resources served, and takes the objects away
 * with the definition.
 */
export { crdController } from "./crd-controller.ts";
