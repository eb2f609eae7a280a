import type { Answer } from "../../core/exchange/index.ts";
import { escapeFieldValue, exactField, parseFieldSelector, type KubeObject } from "../../core/object/index.ts";
import { apiVersionFor, inVersion, type ApiServer, type ServedResource } from "../apiserver/index.ts";
import { badRequestError, StatusError } from "../status-error.ts";
import type { StoreEvent } from "../storage/index.ts";
import { EventStream } from "./event-stream.ts";
import { MalformedRevisionError, revisionOf, tooLargeRevision } from "./list.ts";
import { listOptionsOf, type ListOptions } from "./list-options.ts";
import { transformedObject } from "./object-transform.ts";
import { transformContextOf, type RequestScope } from "./request-scope.ts";
import type { ResponseEncoder } from "./response-encoder.ts";
import { selectionPredicateOf, type SelectionPredicate } from "./selection-predicate.ts";

const bookmarkEveryMs = 60_000;
/** How long before its end a watch gets its last bookmark. */
const lastBookmarkMs = 2000;
const longestWatchMs = 45 * 60_000;
const initialEventsEnd = "k8s.io/initial-events-end";

/** Streams the events of a resource until the request ends. Models apiserver pkg/storage/cacher */
export function watchAnswer(scope: RequestScope): Answer {
  const { resource, query, encoder } = scope;
  const { namespace, name } = scope.target;
  const options = listOptionsOf(query, { watch: true });
  const selection = selectionPredicateOf(resource, name === "" ? query : withName(query, name));
  const inside = (object: KubeObject) => (namespace === "" || object.metadata.namespace === namespace) && selection.matches(object);
  const watch = new Watch(scope, { matches: inside, all: selection.all }, options);
  watch.begin();
  return { status: 200, headers: { "content-type": encoder.streamType }, body: watch.stream };
}

/** The name of a path as a field selector. Models apiserver pkg/endpoints/handlers/get.go ListResource */
function withName(query: URLSearchParams, name: string): URLSearchParams {
  const given = parseFieldSelector(query.get("fieldSelector") ?? "");
  if (given.requirements.length > 0 && exactField(given, "metadata.name") !== name)
    throw badRequestError("fieldSelector metadata.name doesn't match requested name");
  const next = new URLSearchParams(query);
  if (given.requirements.length === 0) next.set("fieldSelector", `metadata.name=${escapeFieldValue(name)}`);
  return next;
}

class Watch {
  readonly stream: EventStream;
  readonly #scope: RequestScope;
  readonly #server: ApiServer;
  readonly #resource: ServedResource;
  readonly #selection: SelectionPredicate;
  readonly #options: ListOptions;
  readonly #encoder: ResponseEncoder;
  readonly #apiVersion: string;
  /** Of the tables of a watch only the first says its columns. */
  #saidColumns = false;
  #cancels: (() => void)[] = [];
  #lastRevision: number;

  constructor(scope: RequestScope, selection: SelectionPredicate, options: ListOptions) {
    const { server, resource, encoder, request } = scope;
    this.#scope = scope;
    this.#server = server;
    this.#resource = resource;
    this.#selection = selection;
    this.#options = options;
    this.#encoder = encoder;
    this.#apiVersion = apiVersionFor(resource);
    this.#lastRevision = server.store.revision;
    this.stream = new EventStream(request.signal, () => {
      for (const cancel of this.#cancels) cancel();
    });
  }

  begin(): void {
    const { store } = this.#server;
    const { sendInitialEvents = false, allowWatchBookmarks } = this.#options;
    const from = watchRevision(this.#options);
    if (sendInitialEvents && from > store.revision) return this.#fail(tooLargeRevision(from, store.revision));
    if (sendInitialEvents) this.#sendInitialState();
    else if (from > 0 && !this.#sendPastEvents(from)) return;
    if (sendInitialEvents && allowWatchBookmarks) this.#bookmark({ [initialEventsEnd]: "true" });
    const isNews = from > store.revision ? ({ revision }: StoreEvent) => revision > from : () => true;
    this.#cancels.push(store.subscribe(this.#resource.key, (change) => isNews(change) && this.#send(change)));
    this.#setTimers();
  }

  #setTimers(): void {
    const { clock } = this.#server;
    const { timeoutSeconds, allowWatchBookmarks } = this.#options;
    const lastsMs = timeoutSeconds === 0 ? longestWatchMs : Math.max(0, timeoutSeconds * 1000);
    const endsAt = clock.now() + lastsMs;
    this.#cancels.push(clock.after(lastsMs, () => this.stream.end(), { background: true }));
    // Models apiserver pkg/storage/cacher/cache_watcher.go nextBookmarkTime
    const plan = () => {
      const inMs = Math.min(bookmarkEveryMs, endsAt - lastBookmarkMs - clock.now());
      if (inMs > 0) this.#cancels.push(clock.after(inMs, again, { background: true }));
    };
    const again = () => {
      this.#bookmark();
      plan();
    };
    if (allowWatchBookmarks) plan();
  }

  #sendInitialState(): void {
    for (const object of this.#server.list(this.#resource.key)) if (this.#selection.matches(object)) this.#write("ADDED", object);
  }

  /** Sends the events since `revision`; false when they are too old. */
  #sendPastEvents(revision: number): boolean {
    const { store } = this.#server;
    const past = store.eventsSince(revision, this.#resource.key);
    if (past === undefined) {
      const oldest = store.oldestRevision(this.#resource.key);
      this.#fail(new StatusError(410, "Expired", `too old resource version: ${revision} (${oldest})`));
      return false;
    }
    for (const change of past) this.#send(change);
    return true;
  }

  /** Ends the watch with an error, which is an event: the answer has begun. */
  #fail({ status }: StatusError): void {
    this.stream.write(this.#encoder.encodeEvent("ERROR", status));
    this.stream.end();
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

function watchRevision({ resourceVersion }: ListOptions): number {
  try {
    return revisionOf(resourceVersion);
  } catch (error) {
    throw error instanceof MalformedRevisionError ? new StatusError(500, "", error.message) : error;
  }
}

function at(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
