/**
 * Who controls what: the controller reference, and taking in and letting go of objects by a selector.
 *
 * It works for any owner and any owned resource; what is done with the owned objects is for the controllers to know.
 */
export { claim } from "./claim.ts";
export { Orphans } from "./orphans.ts";
export { OwnWrites } from "./own-writes.ts";
export { asController, controllerOf, isControlledBy, manager, ownedPods } from "./reference.ts";
export { selectorOf } from "./selector.ts";
export { watchOwned } from "./watch.ts";
