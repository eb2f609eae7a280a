import type { Answer } from "../../core/exchange/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { apiVersionFor, inVersion, isConvertedByWebhook, type ApiServer, type ServedResource } from "../apiserver/index.ts";
import { badRequestError, StatusError } from "../status-error.ts";
import { encodedAnswer } from "./answer.ts";
import { decodeContinue, encodeContinue, type ContinueToken } from "./continue-token.ts";
import { listOptionsOf, type ListOptions } from "./list-options.ts";
import { transformedList, type ListMeta } from "./object-transform.ts";
import { transformContextOf, type RequestScope } from "./request-scope.ts";
import { selectionPredicateOf, type SelectionPredicate } from "./selection-predicate.ts";

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
  return server.decodedAs(resource, server.store.list(resource.key, namespace)).filter(selectionPredicateOf(resource, query).matches);
}

function pageOf(server: ApiServer, resource: ServedResource, namespace: string, query: URLSearchParams): Page {
  const options = listOptionsOf(query, { watch: false });
  const from = options.continue === "" ? undefined : decodeContinue(options.continue);
  if (from !== undefined && !/^0?$/.test(options.resourceVersion))
    throw badRequestError("specifying resource version is not allowed when using continue");
  // A list at any version comes from the watch cache, which has no pages. Events have none.
  const isCached = options.resourceVersion === "0" && from === undefined && resource.key !== "events";
  const limit = isCached ? 0 : options.limit;
  const { objects: all, revision } =
    from === undefined ? snapshot(server, resource, namespace, options) : continued(server, resource, namespace, from);
  const selection = selectionPredicateOf(resource, query);
  const selected = firstSelected(server, resource, all, selection, limit === 0 ? all.length : limit + 1);
  if (limit === 0 || selected.length <= limit) return { objects: selected, revision };
  const objects = selected.slice(0, limit);
  const next = encodeContinue(revision, `${startOf(objects.at(-1)!, namespace)}\u0000`);
  return { objects, revision, next, ...(selection.all ? { remaining: all.length - limit } : {}) };
}

/** The first objects that are selected, at most so many. */
function firstSelected(
  server: ApiServer,
  resource: ServedResource,
  objects: readonly KubeObject[],
  { all, matches }: SelectionPredicate,
  most: number,
): readonly KubeObject[] {
  if (all) return server.decodedAs(resource, objects.slice(0, most));
  // One review for all is quicker than one for each.
  if (isConvertedByWebhook(resource)) return server.decodedAs(resource, objects).filter(matches).slice(0, most);
  const selected: KubeObject[] = [];
  for (const stored of objects) {
    const object = server.decoded(resource.key, stored);
    if (matches(object) && selected.push(object) === most) break;
  }
  return selected;
}

/** The part of the storage key below the prefix that the list shares. */
function startOf({ metadata }: KubeObject, namespace: string): string {
  return namespace === "" && metadata.namespace !== undefined ? `${metadata.namespace}/${metadata.name}` : metadata.name;
}

function snapshot(server: ApiServer, resource: ServedResource, namespace: string, options: ListOptions) {
  const { store } = server;
  const asked = listRevision(options, store.revision);
  const match = options.resourceVersionMatch;
  const exact = match === "Exact" || (match === "" && options.limit > 0 && asked > 0);
  if (!exact || asked === store.revision) return { objects: store.list(resource.key, namespace), revision: store.revision };
  const objects = store.listAt(asked, resource.key, namespace);
  if (objects === undefined) throw new StatusError(410, "Expired", `The resourceVersion for the provided list is too old.`);
  return { objects, revision: asked };
}

function listRevision(options: ListOptions, current: number): number {
  try {
    const revision = revisionOf(options.resourceVersion);
    if (revision > current) throw tooLargeRevision(revision, current);
    return revision;
  } catch (error) {
    throw error instanceof MalformedRevisionError ? badRequestError(`invalid resource version: ${error.message}`) : error;
  }
}

function continued({ store }: ApiServer, resource: ServedResource, namespace: string, { rv, start }: ContinueToken) {
  const from = resource.namespaced && namespace === "" ? start : `${namespace}/${start}`;
  // A token that came with an Expired error: continues at the current revision, which may be inconsistent with the
  // first pages.
  if (rv < 0) return { objects: store.list(resource.key, namespace, { from }), revision: store.revision };
  const objects = store.listAt(rv, resource.key, namespace, { from });
  if (objects !== undefined) return { objects, revision: rv };
  const fresh = encodeContinue(-1, start);
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

/** The requested revision; 0 when the request leaves it to the server. */
export function revisionOf(resourceVersion: string): number {
  if (resourceVersion === "") return 0;
  if (!/^\d+$/.test(resourceVersion)) throw new MalformedRevisionError(resourceVersion);
  if (BigInt(resourceVersion) >= 1n << 64n) throw new MalformedRevisionError(resourceVersion, "value out of range");
  return Number(resourceVersion);
}

/** The error of a list at a revision to come. A real server waits a moment for it. */
export function tooLargeRevision(revision: number, current: number): StatusError {
  return new StatusError(504, "Timeout", `Timeout: Too large resource version: ${revision}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/** A resourceVersion that is no number. List and watch report it in different messages. */
export class MalformedRevisionError extends Error {
  constructor(text: string, why = "invalid syntax") {
    super(`resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
  }
}
