import type { StoreEvent } from "../../storage/index.ts";
import { enqueueObject } from "../controller.ts";

/**
 * Lets a controller not be woken by the statuses that it writes itself, which tell it nothing new. Watches hear of a
 * write while it is being made, so a flag is all that it takes; anybody else's write of the same object still counts.
 */
export class OwnWriteFilter {
  #underway = false;

  during<T>(write: () => T): T {
    this.#underway = true;
    try {
      return write();
    } finally {
      this.#underway = false;
    }
  }

  /** Watches objects by their own key, own writes apart. */
  readonly enqueueObject = (change: StoreEvent): string[] => (this.#underway ? [] : enqueueObject(change));
}
