import type { Answer } from "../../core/exchange/index.ts";
import { escapeFieldValue, exactField, parseFieldSelector, type KubeObject } from "../../core/object/index.ts";
import { apiVersionFor, inVersion, isConvertedByWebhook, type ApiServer, type ServedResource } from "../apiserver/index.ts";
import { badRequestError, internalError, StatusError } from "../status-error.ts";
import type { StoreEvent } from "../storage/index.ts";
import { EventStream, ValueStream } from "./event-stream.ts";
import { MalformedRevisionError, revisionOf, tooLargeRevision } from "./list.ts";
import { listOptionsOf, type ListOptions } from "./list-options.ts";
import { rememberLast } from "./remember-last.ts";
import { transformedObject } from "./object-transform.ts";
import { transformContextOf, type RequestScope } from "./request-scope.ts";
import type { ResponseEncoder, RuntimeObject } from "./response-encoder.ts";
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
  /** For a caller in this process, who need not parse what is told. */
  readonly #valueOf: ResponseEncoder["eventValue"];
  readonly #apiVersion: string;
  /** Of the tables of a watch only the first says its columns. */
  #saidColumns = false;
  #cancels: (() => void)[] = [];
  #lastRevision: number;
  /** What is sent when webhooks have converted what comes before it. */
  #converting: Promise<void> = Promise.resolve();

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
    const close = () => {
      for (const cancel of this.#cancels) cancel();
    };
    this.#valueOf = request.peer === undefined ? encoder.eventValue : undefined;
    this.stream = this.#valueOf === undefined ? new EventStream(request.signal, close) : new ValueStream(request.signal, close);
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
    this.#decode(this.#server.store.list(this.#resource.key), (objects) => {
      for (const object of objects) if (this.#selection.matches(object)) this.#write("ADDED", object);
    });
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
    this.#writeEvent("ERROR", status);
    this.stream.end();
  }

  #send({ type, object, previous, revision }: StoreEvent): void {
    this.#decode(previous === undefined ? [object] : [object, previous], ([shown, before]) => {
      this.#lastRevision = revision;
      this.#tell(type, shown!, before, revision);
    });
  }

  /** Goes on with objects as they are served now: at once, or after all that is being converted. */
  #decode(objects: readonly KubeObject[], goOn: (objects: readonly KubeObject[]) => void): void {
    if (!isConvertedByWebhook(this.#resource)) return goOn(this.#server.decodedAs(this.#resource, objects));
    const before = this.#converting;
    this.#converting = this.#convert(objects, goOn, before);
  }

  async #convert(objects: readonly KubeObject[], goOn: (objects: readonly KubeObject[]) => void, before: Promise<void>): Promise<void> {
    const { signal } = this.#scope.request;
    await before;
    try {
      goOn(await this.#server.decodedLater(this.#resource, objects, signal));
    } catch (error) {
      this.#fail(error instanceof StatusError ? error : internalError(error instanceof Error ? error.message : String(error)));
    }
  }

  /** An object that begins to match is sent as ADDED, one that ceases to match as DELETED. */
  #tell(type: StoreEvent["type"], object: KubeObject, previous: KubeObject | undefined, revision: number): void {
    const before = previous !== undefined && this.#selection.matches(previous);
    const after = type !== "DELETED" && this.#selection.matches(object);
    if (after) return this.#write(before ? "MODIFIED" : "ADDED", object);
    if (!before) return;
    this.#write("DELETED", type === "DELETED" ? object : at(previous, revision));
  }

  #write(type: string, object: KubeObject): void {
    const { transform } = this.#scope;
    // What cannot be shown as asked is shown as it is. Models apiserver pkg/endpoints/handlers/response.go watchEmbeddedEncoder
    const whole = transform === undefined || transform.kind === "PartialObjectMetadataList";
    const shown = whole
      ? shownIn(object, this.#apiVersion)
      : transformedObject(transform, object, transformContextOf(this.#scope), { columns: !this.#saidColumns });
    this.#saidColumns = true;
    this.#writeEvent(type, shown);
  }

  #writeEvent(type: string, object: RuntimeObject): void {
    const write = () => this.#encoder.encodeEvent(type, object);
    this.stream.write(this.#valueOf === undefined ? write() : { value: this.#valueOf(type, object), write });
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): void {
    // What is stored while objects are converted is told after it.
    const { revision } = this.#server.store;
    this.#decode([], () => this.#writeBookmark(String(Math.max(this.#lastRevision, revision)), annotations));
  }

  #writeBookmark(revision: string, annotations: Readonly<Record<string, string>> | undefined): void {
    const metadata = { resourceVersion: revision, ...(annotations === undefined ? {} : { annotations }) };
    const object = { kind: this.#resource.kind, apiVersion: this.#apiVersion, metadata };
    if (this.#scope.transform === undefined) this.#writeEvent("BOOKMARK", object);
    else this.#write("BOOKMARK", { ...object, metadata: { ...metadata, name: "" } });
  }
}

function watchRevision({ resourceVersion }: ListOptions): number {
  try {
    return revisionOf(resourceVersion);
  } catch (error) {
    throw error instanceof MalformedRevisionError ? new StatusError(500, "", error.message) : error;
  }
}

const shownIn = rememberLast(inVersion);

const at = rememberLast((object: KubeObject, revision: number): KubeObject => {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
});
