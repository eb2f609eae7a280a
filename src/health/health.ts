/** Why a pod has no room: no node fits, or a quota or policy denies its creation. */
export type NoRoom = "unscheduled" | "denied";

/** The health of an object. `because` is a reason that a person can act on. */
export type Health =
  | { readonly state: "ready"; /** Additional information that is no reason to wait. */ readonly note?: string }
  | {
      readonly state: "progressing";
      readonly because: string;
      /** There is no status yet, and there may never be one. */
      readonly silent?: boolean;
    }
  | {
      readonly state: "failed";
      readonly because: string;
      /** Lack of room is the only reason. */
      readonly noRoom?: NoRoom;
    };

/** What the assessment has to know of a kind. */
export type KindFacts = {
  /** The kind has a status subresource, so a controller is expected to write a status. */
  readonly hasStatus: boolean;
};

/** How long to wait for a status that may never be written. */
export const noStatusMs = 30_000;

export const ready: Health = { state: "ready" };

export function readyWith(note: string): Health {
  return { state: "ready", note };
}

export function progressingBecause(because: string): Health {
  return { state: "progressing", because };
}

/** There is no status yet, and there may never be one. */
export function silentBecause(because: string): Health {
  return { state: "progressing", because, silent: true };
}

export function failedBecause(because: string): Health {
  return { state: "failed", because };
}

/** Fails until somebody makes room. */
export function noRoomBecause(because: string, noRoom: NoRoom): Health {
  return { state: "failed", because, noRoom };
}
