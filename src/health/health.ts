/** No node takes a pod, or a quota or policy keeps it from being made. */
export type NoRoom = "unscheduled" | "denied";

/** How an object is doing. `because` is a reason that a person can act on. */
export type Health =
  | { readonly state: "ready"; /** Something worth knowing that is no reason to wait. */ readonly note?: string }
  | {
      readonly state: "progressing";
      readonly because: string;
      /** Nobody has written a status yet. It may be that nobody ever will. */
      readonly silent?: boolean;
    }
  | {
      readonly state: "failed";
      readonly because: string;
      /** All that it lacks is room. */
      readonly noRoom?: NoRoom;
    };

/** What must be known of a kind to judge its objects. */
export type KindFacts = {
  /** The kind has a status subresource: somebody is expected to write one. */
  readonly hasStatus: boolean;
};

export const ready: Health = { state: "ready" };

export function readyWith(note: string): Health {
  return { state: "ready", note };
}

export function progressingBecause(because: string): Health {
  return { state: "progressing", because };
}

/** Nothing has been said yet, and perhaps never will be. */
export function silentBecause(because: string): Health {
  return { state: "progressing", because, silent: true };
}

export function failedBecause(because: string): Health {
  return { state: "failed", because };
}

/** It stays so until somebody makes room. */
export function noRoomBecause(because: string, noRoom: NoRoom): Health {
  return { state: "failed", because, noRoom };
}
