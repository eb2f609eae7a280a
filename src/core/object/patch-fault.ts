import { Fault } from "../fault/index.ts";

/**
 * A patch that was not applied, in the API server's words. `reason` tells what the server answers: `BadRequest` when the
 * patch itself is malformed, `Invalid` when it does not fit the object, `InternalError` where the server has no better word.
 */
export class PatchFault extends Fault {
  readonly reason: "BadRequest" | "Invalid" | "InternalError";

  constructor(reason: PatchFault["reason"], message: string) {
    super(message, undefined, { final: true });
    this.name = "PatchFault";
    this.reason = reason;
  }
}
