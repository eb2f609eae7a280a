/**
 * Namespaces from their first object to their last: what each of them is given, and how one is emptied and let go.
 *
 * It deletes what is in a namespace and waits; it does not know what any of it is.
 */
export { namespaceController } from "./namespace-controller.ts";
export { serviceAccountController } from "./service-account-controller.ts";
