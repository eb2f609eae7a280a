import type { Answer } from "../../core/exchange/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { apiVersionFor, inVersion, type ApiServer, type ServedResource } from "../apiserver/index.ts";
import { fieldForbidden } from "../field-error.ts";
import { invalidError, StatusError } from "../status-error.ts";
import type { StoreEvent } from "../storage/index.ts";
import { EventStream } from "./event-stream.ts";
import { MalformedRevisionError, requestedRevision } from "./list.ts";
import { transformedObject } from "./object-transform.ts";
import { transformContextOf, type RequestScope } from "./request-scope.ts";
import type { ResponseEncoder } from "./response-encoder.ts";
import { selectionPredicateOf, type SelectionPredicate } from "./selection-predicate.ts";

const bookmarkEveryMs = 60_000;
const longestWatchMs = 45 * 60_000;
const initialEventsEnd = "k8s.io/initial-events-end";

/** Streams the events of a resource until the request ends. Models apiserver pkg/storage/cacher */
export function watchAnswer(scope: RequestScope): Answer {
  const { resource, query, encoder } = scope;
  const { namespace } = scope.target;
  checkInitialEvents(query);
  const selection = selectionPredicateOf(resource, query);
  const inside = (object: KubeObject) => (namespace === "" || object.metadata.namespace === namespace) && selection.matches(object);
  const watch = new Watch(scope, { matches: inside, all: selection.all });
  watch.begin();
  return { status: 200, headers: { "content-type": encoder.streamType }, body: watch.stream };
}

class Watch {
  readonly stream: EventStream;
  readonly #scope: RequestScope;
  readonly #server: ApiServer;
  readonly #resource: ServedResource;
  readonly #selection: SelectionPredicate;
  readonly #query: URLSearchParams;
  readonly #encoder: ResponseEncoder;
  readonly #apiVersion: string;
  /** Of the tables of a watch only the first says its columns. */
  #saidColumns = false;
  #cancels: (() => void)[] = [];
  #lastRevision: number;

  constructor(scope: RequestScope, selection: SelectionPredicate) {
    const { server, resource, query, encoder, request } = scope;
    this.#scope = scope;
    this.#server = server;
    this.#resource = resource;
    this.#selection = selection;
    this.#query = query;
    this.#encoder = encoder;
    this.#apiVersion = apiVersionFor(resource);
    this.#lastRevision = server.store.revision;
    this.stream = new EventStream(request.signal, () => {
      for (const cancel of this.#cancels) cancel();
    });
  }

  begin(): void {
    const { store } = this.#server;
    const from = watchRevision(this.#query, store.revision);
    const initial = this.#query.get("sendInitialEvents") === "true";
    if (initial || (from === 0 && this.#query.get("sendInitialEvents") !== "false")) this.#sendInitialState();
    else if (from > 0 && !this.#sendPastEvents(from)) return;
    if (initial && this.#bookmarks) this.#bookmark({ [initialEventsEnd]: "true" });
    this.#cancels.push(store.subscribe(this.#resource.key, (change) => this.#send(change)));
    this.#setTimers();
  }

  get #bookmarks(): boolean {
    return /^(true|1)$/.test(this.#query.get("allowWatchBookmarks") ?? "");
  }

  #setTimers(): void {
    const { clock } = this.#server;
    const seconds = Number(this.#query.get("timeoutSeconds") ?? 0);
    const end = () => {
      if (this.#bookmarks) this.#bookmark();
      this.stream.end();
    };
    this.#cancels.push(clock.after(seconds > 0 ? seconds * 1000 : longestWatchMs, end, { background: true }));
    if (!this.#bookmarks) return;
    const again = () => {
      this.#bookmark();
      this.#cancels.push(clock.after(bookmarkEveryMs, again, { background: true }));
    };
    this.#cancels.push(clock.after(bookmarkEveryMs, again, { background: true }));
  }

  #sendInitialState(): void {
    for (const object of this.#server.list(this.#resource.key)) if (this.#selection.matches(object)) this.#write("ADDED", object);
  }

  /** Sends the events since `revision`; false when they are too old. */
  #sendPastEvents(revision: number): boolean {
    const { store } = this.#server;
    const past = store.eventsSince(revision, this.#resource.key);
    if (past === undefined) {
      const { status } = new StatusError(
        410,
        "Expired",
        `too old resource version: ${revision} (${store.oldestRevision(this.#resource.key)})`,
      );
      this.stream.write(this.#encoder.encodeEvent("ERROR", status));
      this.stream.end();
      return false;
    }
    for (const change of past) this.#send(change);
    return true;
  }

  /** An object that begins to match is sent as ADDED, one that ceases to match as DELETED. */
  #send({ type, object, previous, revision }: StoreEvent): void {
    this.#lastRevision = revision;
    const before = previous !== undefined && this.#selection.matches(previous);
    const after = type !== "DELETED" && this.#selection.matches(object);
    if (after) return this.#write(before ? "MODIFIED" : "ADDED", object);
    if (!before) return;
    this.#write("DELETED", type === "DELETED" ? object : at(previous, revision));
  }

  #write(type: string, object: KubeObject): void {
    this.#writeShown(type, this.#server.decoded(this.#resource.key, object));
  }

  #writeShown(type: string, object: KubeObject): void {
    const { transform } = this.#scope;
    // What cannot be shown as asked is shown as it is. Models apiserver pkg/endpoints/handlers/response.go watchEmbeddedEncoder
    const whole = transform === undefined || transform.kind === "PartialObjectMetadataList";
    const shown = whole
      ? inVersion(object, this.#apiVersion)
      : transformedObject(transform, object, transformContextOf(this.#scope), { columns: !this.#saidColumns });
    this.#saidColumns = true;
    this.stream.write(this.#encoder.encodeEvent(type, shown));
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): void {
    const revision = String(Math.max(this.#lastRevision, this.#server.store.revision));
    const metadata = { resourceVersion: revision, ...(annotations === undefined ? {} : { annotations }) };
    const object = { kind: this.#resource.kind, apiVersion: this.#apiVersion, metadata };
    if (this.#scope.transform === undefined) this.stream.write(this.#encoder.encodeEvent("BOOKMARK", object));
    else this.#writeShown("BOOKMARK", { ...object, metadata: { ...metadata, name: "" } });
  }
}

function watchRevision(query: URLSearchParams, current: number): number {
  try {
    return requestedRevision(query, current);
  } catch (error) {
    throw error instanceof MalformedRevisionError ? new StatusError(500, "", error.message) : error;
  }
}

function at(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

/** Models apimachinery pkg/apis/meta/internalversion/validation/validation.go validateWatchOptions */
function checkInitialEvents(query: URLSearchParams): void {
  const match = query.get("resourceVersionMatch") ?? "";
  const about = { group: "meta.k8s.io", kind: "ListOptions" };
  if (!query.has("sendInitialEvents")) {
    if (match === "") return;
    const why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    throw invalidError(about, "", [fieldForbidden("resourceVersionMatch", why)]);
  }
  if (match === "NotOlderThan") return;
  const why =
    match === ""
      ? "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
      : "sendInitialEvents requires resourceVersionMatch=NotOlderThan";
  throw invalidError(about, "", [fieldForbidden("resourceVersionMatch", why)]);
}
