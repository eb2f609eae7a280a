import type { Answer, IncomingRequest, Request } from "../../core/exchange/index.ts";
import { isStackOverflow } from "../../core/object/index.ts";
import { StatusError } from "../status-error.ts";
import { DeadlineExceeded, longestWriteMs } from "../webhook/index.ts";
import { plainEncoderFor, statusAnswer } from "./answer.ts";
import { timeoutAnswer } from "./incoming-request.ts";
import { ExpiredError } from "./list.ts";

/** Turns a StatusError into its answer. */
export function answerStatusErrors(request: Request, answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    return errorAnswer(request, error);
  }
}

export function errorAnswer(request: IncomingRequest, error: unknown): Answer {
  // A write has less time of itself than the filter gives it.
  if (error instanceof DeadlineExceeded && error.boundMs !== longestWriteMs) return timeoutAnswer();
  if (error instanceof ExpiredError) return statusAnswer({ ...error.status, metadata: { continue: error.next } }, plainEncoderFor(request));
  if (error instanceof StatusError) return statusAnswer(error.status, plainEncoderFor(request));
  if (isStackOverflow(error)) return statusAnswer(tooDeep().status, plainEncoderFor(request));
  throw error;
}

/** What is still walked by recursion may be nested deeper than the stack. Nothing is stored then. */
function tooDeep(): StatusError {
  const message = "Internal error occurred: the object is nested deeper than the embedded cluster can process";
  return new StatusError(500, "InternalError", message);
}
