/**
 * The end of namespaces: the deletion of their content.
 *
 * It deletes all objects in a namespace and waits; it knows no kinds.
 */
export { namespaceController } from "./namespace-controller.ts";
