import type { Answer } from "../../core/exchange/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { ConnectionFault, isApiFault } from "../../kube/index.ts";
import { problemAnswer } from "./answers.ts";

/** The answer for what went wrong while something was read or done as the visitor. Errors of our own are thrown on. */
export function faultAnswer(error: unknown): Answer {
  if (!(error instanceof Fault)) throw error;
  if (error instanceof ConnectionFault) return problemAnswer(504, error.message);
  // The page asks who is signed in when a status says that nobody is. Whom the cluster does not know is told apart.
  const status = isApiFault(error) ? (error.code === 401 ? 403 : error.code) : 422;
  return problemAnswer(status, error.message);
}
