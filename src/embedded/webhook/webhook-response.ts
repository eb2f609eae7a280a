import type { HttpsReply } from "../../core/exchange/index.ts";
import { isFields, jsonTypeOf, stringAt, type Fields } from "../../core/object/index.ts";
import { jsonSyntaxProblem } from "../builtin/index.ts";

/** A response that is of no use. The message is what follows `failed to call webhook: `. */
export class WebhookResponseError extends Error {}

/** How much of an error page is repeated. Models client-go rest/request.go */
const maxErrorText = 2048;

/** The kind of a review: `AdmissionReview` of `admission.k8s.io`, in a version. */
type ReviewKind = { readonly group: string; readonly version: string; readonly kind: string };

/** The review in a response. Throws a WebhookResponseError. Models client-go rest/request.go transformResponse and Into */
export function reviewIn(reply: HttpsReply, wanted: ReviewKind): Fields {
  if ("error" in reply) {
    throw new WebhookResponseError(
      reply.read ? `unexpected error when reading response body. Please retry. Original error: ${reply.error}` : reply.error,
    );
  }
  const { status, contentType, body } = reply;
  if (status < 200 || status > 206) throw new WebhookResponseError(statusText(status, contentType, body));
  if (body === "")
    throw new WebhookResponseError(`0-length response with status code: ${status} and content type: ${contentType || "application/json"}`);
  const review = decodedBody(body);
  checkKind(review, wanted);
  return review;
}

/** The server reads YAML too, in which a text without braces is a string. */
function decodedBody(body: string): Fields {
  const problem = jsonSyntaxProblem(body);
  if (problem !== undefined && /^\s*[[{"]/.test(body)) throw unreadable(problem);
  const review: unknown = problem === undefined ? JSON.parse(body) : body;
  if (review === null) return {};
  if (isFields(review)) return review;
  const type = jsonTypeOf(review);
  throw unreadable(`json: cannot unmarshal ${type === "boolean" ? "bool" : type} into Go value of type ${metaStruct}`);
}

function unreadable(why: string): WebhookResponseError {
  return new WebhookResponseError(`couldn't get version/kind; json parse error: ${why}`);
}

/** The versions of reviews, which the server's scheme knows beside Status. */
const reviewVersions = ["v1", "v1beta1"];

/** Models apimachinery pkg/runtime: what the codec of the webhook client makes of other kinds. */
function checkKind(review: Fields, wanted: ReviewKind): void {
  const [apiVersion, kind] = [stringAt(review, "apiVersion", ""), stringAt(review, "kind", "")];
  const expected = `${wanted.group}/${wanted.version}`;
  if ((apiVersion === "" || apiVersion === expected) && (kind === "" || kind === wanted.kind)) return;
  const version = apiVersion.split("/").at(-1) ?? "";
  const isReview = kind === wanted.kind && reviewVersions.some((each) => apiVersion === `${wanted.group}/${each}`);
  if (isReview || (apiVersion === "v1" && kind === "Status"))
    throw new WebhookResponseError(`converting (${version}.${kind}) to (${wanted.version}.${wanted.kind}): unknown conversion`);
  throw new WebhookResponseError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

const metaStruct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** A Status in the body speaks for itself. Otherwise models apimachinery pkg/api/errors/errors.go NewGenericServerResponse */
function statusText(status: number, contentType: string, body: string): string {
  const told = statusMessage(body);
  if (told !== undefined) return told;
  const text = contentType === "" || contentType.startsWith("text/") ? body.slice(0, maxErrorText).trim() : "unknown";
  if (status === 403 || status === 415) return text;
  if (status === 406 && text !== "" && text !== "unknown") return text;
  const known = knownStatuses[status];
  if (known !== undefined) return known;
  if (status >= 500) return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}

function statusMessage(body: string): string | undefined {
  if (jsonSyntaxProblem(body) !== undefined) return undefined;
  const value: unknown = JSON.parse(body);
  const isStatus = isFields(value) && value["kind"] === "Status" && value["apiVersion"] === "v1" && value["status"] !== "Success";
  return isStatus ? stringAt(value, "message", "") : undefined;
}

const knownStatuses: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  406: "the server was unable to respond with a content type that the client supports",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};
