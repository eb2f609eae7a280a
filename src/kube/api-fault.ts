import { Fault } from "../core/fault/index.ts";
import { isFields, listAt, numberAt, stringAt, type Fields } from "../core/object/index.ts";
import type { Headers } from "../core/exchange/index.ts";

/** One cause of an API error. `field` is its path (`.spec.replicas`). */
type StatusCause = { readonly reason: string; readonly message: string; readonly field: string };

type StatusDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes: readonly StatusCause[];
};

/** A field that another field manager owns. */
type ApplyConflict = { readonly field: string; readonly manager: string };

type FaultStatus = {
  code: number;
  reason: string;
  explanation: string;
  details: StatusDetails;
  retryAfterMs?: number | undefined;
  continueToken?: string | undefined;
};

/** An error of the API server: its Status, with what was being done. `get deployments default/web: deployments.apps "web" not found`. */
export class ApiFault extends Fault {
  /** The HTTP status code. */
  readonly code: number;
  /** The reason of the Status (`NotFound`). Empty when the server gave none. */
  readonly reason: string;
  /** The server's message, without what was being done. */
  readonly explanation: string;
  readonly details: StatusDetails;
  /** How long the server asks to wait before a retry. */
  readonly retryAfterMs: number | undefined;
  /** Where an expired list can be continued, at a newer resourceVersion. */
  readonly continueToken: string | undefined;

  constructor(doing: string, refusal: FaultStatus) {
    super(`${doing}: ${refusal.explanation}`, undefined, { final: finalCodes.has(refusal.code) });
    this.name = "ApiFault";
    this.code = refusal.code;
    this.reason = refusal.reason;
    this.explanation = refusal.explanation;
    this.details = refusal.details;
    this.retryAfterMs = refusal.retryAfterMs;
    this.continueToken = refusal.continueToken;
  }

  /** The fields that were not applied because others own them. Empty for any other fault. */
  get conflicts(): readonly ApplyConflict[] {
    return this.details.causes
      .filter((cause) => cause.reason === "FieldManagerConflict")
      .map(({ field, message }) => ({ field, manager: managerIn(message) }));
  }
}

/** The same request fails in the same way until somebody changes it. */
const finalCodes = new Set([400, 405, 406, 413, 415, 422]);

/** `conflict with "kubectl" using apps/v1`. Models apimachinery pkg/util/managedfields/internal/conflict.go printManager */
function managerIn(message: string): string {
  const quoted = /"(?:[^"\\]|\\.)*"/.exec(message)?.[0];
  if (quoted === undefined) return message;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // Go escapes some characters in ways that JSON does not know
  }
}

/** The fault for an error response: a Status, or what a proxy sent instead. */
export function apiFaultOf(doing: string, answer: { status: number; headers: Headers; text: string }): ApiFault {
  const { status, headers, text } = answer;
  const body = parseBody(text);
  const retryAfterMs = retryAfterOf(headers) ?? toMillis(numberAt(body, "details.retryAfterSeconds"));
  if (isStatus(body)) return new ApiFault(doing, { ...statusOf(body, status), retryAfterMs });
  const reason = usualReasons[status] ?? "";
  return new ApiFault(doing, { code: status, reason, explanation: explain(status, headers, text), details: { causes: [] }, retryAfterMs });
}

/** The fault for the Status of an ERROR event in a watch. */
export function apiFaultInStream(doing: string, status: unknown): ApiFault {
  const body = isFields(status) ? status : {};
  return new ApiFault(doing, { ...statusOf(body, 500), retryAfterMs: toMillis(numberAt(body, "details.retryAfterSeconds")) });
}

export function isStatus(body: unknown): body is Fields {
  return isFields(body) && body["kind"] === "Status" && body["apiVersion"] === "v1";
}

function statusOf(body: Fields, status: number): FaultStatus {
  const code = numberAt(body, "code", status);
  const reason = stringAt(body, "reason", "");
  const explanation = stringAt(body, "message", "") || reason || `the server answered ${code}`;
  return { code, reason, explanation, details: detailsOf(body), continueToken: stringAt(body, "metadata.continue") };
}

function detailsOf(body: Fields): StatusDetails {
  const text = (name: string) => stringAt(body, `details.${name}`);
  const named = Object.fromEntries(
    ["name", "group", "kind", "uid"].map((name) => [name, text(name)]).filter(([, value]) => value !== undefined),
  );
  const causes = listAt(body, "details.causes").map((cause) => ({
    reason: stringAt(cause, "reason", ""),
    message: stringAt(cause, "message", ""),
    field: stringAt(cause, "field", ""),
  }));
  return { ...named, causes };
}

function parseBody(text: string): unknown {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: reported as text
  }
}

/**
 * The reasons of status codes, for responses without a Status from a proxy or a plain handler. Models apimachinery
 * pkg/api/errors NewGenericServerResponse
 */
const usualReasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

const maxQuoteLength = 200;

function explain(status: number, headers: Headers, text: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim();
  if (title !== undefined || /html/.test(headers["content-type"] ?? "")) {
    const named = title === undefined || title === "" ? "" : ` ("${title}")`;
    return `the answer is ${status} with a web page${named}, which no API server sends: check the server's address and any proxy before it`;
  }
  const content = text.trim().replaceAll(/\s+/g, " ");
  if (content === "") return `the server answered ${status} ${usualReasons[status] ?? ""}`.trim();
  return `the server answered ${status}: ${content.length > maxQuoteLength ? `${content.slice(0, maxQuoteLength)}…` : content}`;
}

/** Seconds only: the API server never sends a date here. */
export function retryAfterOf(headers: Headers): number | undefined {
  const seconds = headers["retry-after"];
  return seconds !== undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function toMillis(seconds: number | undefined): number | undefined {
  return seconds === undefined || seconds <= 0 ? undefined : seconds * 1000;
}

function hasReason(error: unknown, ...reasons: readonly string[]): boolean {
  return error instanceof ApiFault && reasons.includes(error.reason);
}

export function isApiFault(error: unknown): error is ApiFault {
  return error instanceof ApiFault;
}

export function isNotFound(error: unknown): boolean {
  return hasReason(error, "NotFound") || hasCode(error, 404);
}

/**
 * Another write came in between, or (see `conflicts`) another field manager owns an applied field. An existing object
 * is not a conflict.
 */
export function isConflict(error: unknown): boolean {
  return hasReason(error, "Conflict");
}

export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, "AlreadyExists");
}

/** The resourceVersion or continue token is too old. The caller has to list again. */
export function isGone(error: unknown): boolean {
  return hasReason(error, "Expired", "Gone") || hasCode(error, 410);
}

export function isForbidden(error: unknown): boolean {
  return hasReason(error, "Forbidden") || hasCode(error, 403);
}

export function isUnauthorized(error: unknown): boolean {
  return hasReason(error, "Unauthorized") || hasCode(error, 401);
}

export function isInvalid(error: unknown): boolean {
  return hasReason(error, "Invalid") || hasCode(error, 422);
}

/** How API servers and etcd refuse an object for its size; the second is etcd's client. */
const tooLarge = /etcdserver: request is too large|trying to send message larger than max|Too long: may not be more than 1048576 bytes/;

/** The object is larger than the API server accepts or etcd stores: 1 MiB for the data of a ConfigMap or Secret, 1.5 MiB else. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ApiFault && (hasReason(error, "RequestEntityTooLarge") || error.code === 413 || tooLarge.test(error.message));
}

/** The server's data is older than the requested resourceVersion. Models apiserver pkg/storage/errors.go NewTooLargeResourceVersionError */
export function isTooLargeResourceVersion(error: unknown): boolean {
  return error instanceof ApiFault && error.details.causes.some((cause) => cause.reason === "ResourceVersionTooLarge");
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof ApiFault && error.reason === "" && error.code === code;
}
