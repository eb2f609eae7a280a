import { Fault } from "../fault/index.ts";

/**
 * A patch that was not applied, in the API server's words. `reason` is the reason of the server's Status: `BadRequest`
 * for a malformed patch, `Invalid` when it does not fit the object, otherwise `InternalError`.
 */
export class PatchFault extends Fault {
  readonly reason: "BadRequest" | "Invalid" | "InternalError";

  constructor(reason: PatchFault["reason"], message: string) {
    super(message, undefined, { final: true });
    this.name = "PatchFault";
    this.reason = reason;
  }
}
