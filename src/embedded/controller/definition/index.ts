/**
 * Makes CustomResourceDefinitions come true: accepts their names, has their resources served, and takes the objects away
 * with the definition.
 */
export { definitionController } from "./controller.ts";
