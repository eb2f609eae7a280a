import type { Answer, Exchange, Request } from "../../core/exchange/index.ts";
import { groupVersionOf, isFields, stringAt, type ObjectRef } from "../../core/object/index.ts";

type Faults = {
  /** Writes of these objects are refused when their turn comes; dry runs are not. */
  readonly denied: readonly ObjectRef[];
  /** Which share of requests is answered with an error. */
  readonly errorShare: number;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
};

/** An exchange that refuses or fails some requests, as a server in trouble does. */
export function faultyExchange(exchange: Exchange, { denied, errorShare, random }: Faults): Exchange {
  if (denied.length === 0 && errorShare === 0) return exchange;
  return async (request) => {
    if (errorShare > 0 && random() < errorShare) return errorAnswer(overload[Math.floor(random() * overload.length)]!);
    const ref = denied.length === 0 ? undefined : denied.find((each) => writes(request, each));
    if (ref === undefined) return exchange(request);
    return errorAnswer({ code: 403, reason: "Forbidden", message: `${ref.kind} "${ref.name}" is forbidden: denied on purpose` });
  };
}

type StatusError = { readonly code: number; readonly reason: string; readonly message: string };

const overload: readonly StatusError[] = [
  { code: 500, reason: "InternalError", message: "Internal error occurred: etcdserver: request timed out" },
  { code: 503, reason: "ServiceUnavailable", message: "apiserver is shutting down" },
  { code: 429, reason: "TooManyRequests", message: "too many requests, please try again later" },
];

function errorAnswer({ code, reason, message }: StatusError): Answer {
  const body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
  const headers = { "content-type": "application/json", ...(code === 429 ? { "retry-after": "1" } : {}) };
  return { status: code, headers, body: [JSON.stringify(body)] };
}

/** Whether the request creates or changes the object for good. */
function writes({ method, path, body }: Request, ref: ObjectRef): boolean {
  if (method === "GET" || method === "DELETE" || body === undefined || path.includes("dryRun=")) return false;
  let object: unknown;
  try {
    object = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
  } catch {
    return false;
  }
  return (
    isFields(object) &&
    stringAt(object, "kind") === ref.kind &&
    groupVersionOf(stringAt(object, "apiVersion", "")).group === ref.group &&
    stringAt(object, "metadata.name") === ref.name &&
    stringAt(object, "metadata.namespace", "") === ref.namespace
  );
}
