import type { Answer } from "../../core/exchange/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { apiVersionFor, inVersion, type ApiServer, type ServedResource } from "../apiserver/index.ts";
import { fieldForbidden as forbiddenField, type FieldError } from "../field-error.ts";
import { badRequestError, invalidError, StatusError } from "../status-error.ts";
import { encodedAnswer } from "./answer.ts";
import { transformedList, type ListMeta } from "./object-transform.ts";
import { transformContextOf, type RequestScope } from "./request-scope.ts";
import { selectionPredicateOf } from "./selection-predicate.ts";

/**
 * The continue token of a list: it continues after `start`, at the revision of the first page. Models apiserver
 * pkg/storage/continue.go
 */
type Continuation = { readonly v: "meta.k8s.io/v1"; readonly rv: number; readonly start: string };

type Page = { readonly objects: readonly KubeObject[]; readonly revision: number; readonly next?: string; readonly remaining?: number };

export function listAnswer(scope: RequestScope): Answer {
  const { server, resource, target, query, encoder, transform } = scope;
  const page = pageOf(server, resource, target.namespace, query);
  if (transform !== undefined)
    return encodedAnswer(encoder, 200, transformedList(transform, page.objects, listMetaOf(page), transformContextOf(scope)));
  const apiVersion = apiVersionFor(resource);
  const isTyped = resource.custom === undefined;
  const items = page.objects.map((object) => inVersion(object, apiVersion));
  // Lists of custom resources have an empty continue token at the end.
  const { resourceVersion, ...more } = listMetaOf(page);
  const metadata = { resourceVersion, ...(isTyped ? {} : { continue: "" }), ...more };
  const list = encoder.encodeList({ kind: `${resource.kind}List`, apiVersion, metadata, isTyped }, items);
  return { status: 200, headers: { "content-type": encoder.contentType }, body: [list] };
}

function listMetaOf({ revision, next, remaining }: Page): ListMeta {
  return {
    resourceVersion: String(revision),
    ...(next === undefined ? {} : { continue: next }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}

/** All objects that a request selects. */
export function selectedObjects(
  server: ApiServer,
  resource: ServedResource,
  namespace: string,
  query: URLSearchParams,
): readonly KubeObject[] {
  return server.list(resource.key, namespace).filter(selectionPredicateOf(resource, query).matches);
}

function pageOf(server: ApiServer, resource: ServedResource, namespace: string, query: URLSearchParams): Page {
  checkOptions(query);
  const token = query.get("continue") ?? "";
  if (token !== "" && !/^0?$/.test(query.get("resourceVersion") ?? ""))
    throw badRequestError("specifying resource version is not allowed when using continue");
  const limit = numberOf(query, "limit");
  const from = token === "" ? undefined : readToken(token);
  const { objects: all, revision } =
    from === undefined ? snapshot(server, resource, namespace, query, limit) : continued(server, resource, namespace, from);
  const selection = selectionPredicateOf(resource, query);
  const left = server
    .decodedAll(resource.key, all)
    .filter((object) => from === undefined || startOf(object, namespace) >= from.start)
    .filter(selection.matches);
  if (limit === 0 || left.length <= limit) return { objects: left, revision };
  const objects = left.slice(0, limit);
  const start = `${startOf(objects.at(-1)!, namespace)}\u0000`;
  const next = writeToken({ v: "meta.k8s.io/v1", rv: revision, start });
  return { objects, revision, next, ...(selection.all ? { remaining: left.length - limit } : {}) };
}

/** The part of the storage key below the prefix that the list shares. */
function startOf({ metadata }: KubeObject, namespace: string): string {
  return namespace === "" && metadata.namespace !== undefined ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}

function snapshot(server: ApiServer, resource: ServedResource, namespace: string, query: URLSearchParams, limit: number) {
  const { store } = server;
  const asked = listRevision(query, store.revision);
  const match = query.get("resourceVersionMatch") ?? "";
  const exact = match === "Exact" || (match === "" && limit > 0 && asked > 0);
  if (!exact || asked === store.revision) return { objects: store.list(resource.key, namespace), revision: store.revision };
  const objects = store.listAt(asked, resource.key, namespace);
  if (objects === undefined) throw new StatusError(410, "Expired", `The resourceVersion for the provided list is too old.`);
  return { objects, revision: asked };
}

function listRevision(query: URLSearchParams, current: number): number {
  try {
    return requestedRevision(query, current);
  } catch (error) {
    throw error instanceof MalformedRevisionError ? badRequestError(`invalid resource version: ${error.message}`) : error;
  }
}

function continued({ store }: ApiServer, resource: ServedResource, namespace: string, { rv, start }: Continuation) {
  // A token that came with an Expired error: continues at the current revision, which may be inconsistent with the
  // first pages.
  if (rv < 0) return { objects: store.list(resource.key, namespace), revision: store.revision };
  const objects = store.listAt(rv, resource.key, namespace);
  if (objects !== undefined) return { objects, revision: rv };
  const fresh = writeToken({ v: "meta.k8s.io/v1", rv: -1, start });
  const message =
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
  throw new ExpiredError(message, fresh);
}

/** A 410 with a token for continuing. */
export class ExpiredError extends StatusError {
  readonly next: string;

  constructor(message: string, next: string) {
    super(410, "Expired", message);
    this.next = next;
  }
}

/** The requested revision; 0 when the request leaves it to the server. A future one is an error, since nothing here waits for it. */
export function requestedRevision(query: URLSearchParams, current: number): number {
  const text = query.get("resourceVersion") ?? "";
  if (text === "" || text === "0") return 0;
  const revision = Number(text);
  if (!/^\d+$/.test(text)) throw new MalformedRevisionError(text);
  if (revision <= current) return revision;
  throw new StatusError(504, "Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** A resourceVersion that is no number. List and watch report it in different messages. */
export class MalformedRevisionError extends Error {
  constructor(text: string) {
    super(`resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
}

const listOptions = { group: "meta.k8s.io", kind: "ListOptions" };

/** Models apimachinery pkg/apis/meta/internalversion/validation/validation.go ValidateListOptions */
function checkOptions(query: URLSearchParams): void {
  const match = query.get("resourceVersionMatch") ?? "";
  const errors: FieldError[] = [];
  const revision = query.get("resourceVersion") ?? "";
  if (match !== "" && revision === "")
    errors.push(forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  if (match !== "" && (query.get("continue") ?? "") !== "")
    errors.push(forbiddenField("resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"));
  if (match === "Exact" && revision === "0") {
    errors.push(forbiddenField("resourceVersionMatch", 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (query.has("sendInitialEvents")) errors.push(forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  if (errors.length > 0) throw invalidError(listOptions, "", errors);
}

function numberOf(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name) ?? 0);
  if (!Number.isInteger(value)) throw badRequestError(`${name}: Invalid value: ${query.get(name)}`);
  // A negative limit is none.
  return Math.max(0, value);
}

function writeToken(continuation: Continuation): string {
  return Buffer.from(JSON.stringify(continuation)).toString("base64url");
}

function readToken(token: string): Continuation {
  const text = Buffer.from(token, "base64url").toString("latin1");
  try {
    const { v, rv, start } = JSON.parse(text) as Continuation;
    if (v === "meta.k8s.io/v1" && typeof rv === "number" && typeof start === "string") return { v, rv, start };
  } catch {
    const first = JSON.stringify(text.slice(0, 1))
      .slice(1, -1)
      .replace(/[\u007f-\u009f]/, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
    throw badRequestError(`invalid continue token: continue key is not valid: invalid character '${first}' looking for beginning of value`);
  }
  throw badRequestError("invalid continue token: continue key is not valid: server does not recognize this encoded version");
}
