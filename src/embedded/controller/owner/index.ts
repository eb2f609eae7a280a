/**
 * Who controls what: the controller reference, and taking in and letting go of objects by a selector.
 *
 * It works for any owner and any owned resource; what is done with the owned objects is for the controllers to know.
 */
export { claimObjects } from "./claim-objects.ts";
export { OrphanIndex } from "./orphan-index.ts";
export { OwnWriteFilter } from "./own-write-filter.ts";
export { newControllerRef, controllerOf, isControlledBy, controllerManager, ownedPods } from "./controller-ref.ts";
export { ownerSelectorOf } from "./owner-selector.ts";
export { watchOwned } from "./watch-owned.ts";
