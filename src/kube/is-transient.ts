import { Fault } from "../core/fault/index.ts";
import { ApiFault } from "./api-fault.ts";
import { ConnectionFault } from "./connection-fault.ts";

/** Whether an error may go away without any change: a broken connection or stream, a busy or starting server. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionFault) return error.transient;
  if (error instanceof ApiFault) return error.code === 429 || error.code >= 500;
  return error instanceof Fault && !error.final;
}
