import type { StoreEvent } from "../../storage/index.ts";
import { enqueueObject } from "../controller.ts";

/**
 * Filters the events of a controller's own status writes, which need no sync. Events are delivered during the write, so
 * one flag suffices; other writers' events of the same object still enqueue it.
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

  /** Enqueues the object of the event, except for own writes. */
  readonly enqueueObject = (change: StoreEvent): string[] => (this.#underway ? [] : enqueueObject(change));
}
