import { Fault } from "../core/fault/index.ts";
import { ApiFault } from "./api-fault.ts";
import { ConnectionFault } from "./connection-fault.ts";

/** Tells whether trouble may pass by itself: a broken connection or stream, a server that is busy or starting. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionFault) return error.transient;
  if (error instanceof ApiFault) return error.code === 429 || error.code >= 500;
  return error instanceof Fault && !error.final;
}
