/**
 * The lifecycle of namespaces: the objects that each one gets, and the deletion of its content.
 *
 * It deletes all objects in a namespace and waits; it knows no kinds.
 */
export { namespaceController } from "./namespace-controller.ts";
export { serviceAccountController } from "./service-account-controller.ts";
