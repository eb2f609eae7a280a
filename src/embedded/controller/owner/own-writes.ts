import type { Change } from "../../store/index.ts";
import { itself } from "../controller.ts";

/**
 * Lets a controller not be woken by the statuses that it writes itself, which tell it nothing new. Watches hear of a
 * write while it is being made, so a flag is all that it takes; anybody else's write of the same object still counts.
 */
export class OwnWrites {
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
  readonly itself = (change: Change): string[] => (this.#underway ? [] : itself(change));
}
