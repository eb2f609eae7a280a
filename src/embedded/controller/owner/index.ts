/**
 * Controller references, and adopting and releasing objects by a selector.
 *
 * It works for any owner and any owned resource.
 */
export { claimObjects } from "./claim-objects.ts";
export { OrphanIndex } from "./orphan-index.ts";
export { OwnWriteFilter } from "./own-write-filter.ts";
export { newControllerRef, controllerOf, isControlledBy, controllerManager, ownedPods } from "./controller-ref.ts";
export { ownerSelectorOf } from "./owner-selector.ts";
export { watchOwned } from "./watch-owned.ts";
