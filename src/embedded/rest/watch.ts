import type { Answer } from "../../core/exchange/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { apiVersionFor, inVersion, type ApiServer, type Resource } from "../api/index.ts";
import { forbidden } from "../field-error.ts";
import { invalid, Refusal } from "../refusal.ts";
import type { Change } from "../store/index.ts";
import { textOf } from "./answer.ts";
import { EventStream } from "./event-stream.ts";
import { MalformedRevision, revisionOf } from "./list.ts";
import { selectionOf, type Selection } from "./selection.ts";

const bookmarkEveryMs = 60_000;
const longestWatchMs = 45 * 60_000;
const initialEventsEnd = "k8s.io/initial-events-end";

/** Streams the changes of a resource as lines of JSON until the request ends. Models apiserver pkg/storage/cacher */
export function watchAnswer(server: ApiServer, resource: Resource, namespace: string, query: URLSearchParams, signal: AbortSignal): Answer {
  checkInitialEvents(query);
  const selection = selectionOf(resource, query);
  const inside = (object: KubeObject) => (namespace === "" || object.metadata.namespace === namespace) && selection.matches(object);
  const watch = new Watch(server, resource, { matches: inside, all: selection.all }, query, signal);
  watch.begin();
  return { status: 200, headers: { "content-type": "application/json" }, body: watch.stream };
}

class Watch {
  readonly stream: EventStream;
  readonly #server: ApiServer;
  readonly #resource: Resource;
  readonly #selection: Selection;
  readonly #query: URLSearchParams;
  readonly #apiVersion: string;
  #cancels: (() => void)[] = [];
  #told: number;

  constructor(server: ApiServer, resource: Resource, selection: Selection, query: URLSearchParams, signal: AbortSignal) {
    this.#server = server;
    this.#resource = resource;
    this.#selection = selection;
    this.#query = query;
    this.#apiVersion = apiVersionFor(resource);
    this.#told = server.store.revision;
    this.stream = new EventStream(signal, () => {
      for (const cancel of this.#cancels) cancel();
    });
  }

  begin(): void {
    const { store } = this.#server;
    const from = watchRevision(this.#query, store.revision);
    const initial = this.#query.get("sendInitialEvents") === "true";
    if (initial || (from === 0 && this.#query.get("sendInitialEvents") !== "false")) this.#tellState();
    else if (from > 0 && !this.#tellPast(from)) return;
    if (initial && this.#bookmarks) this.#bookmark({ [initialEventsEnd]: "true" });
    this.#cancels.push(store.subscribe(this.#resource.key, (change) => this.#tell(change)));
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

  #tellState(): void {
    for (const object of this.#server.list(this.#resource.key)) if (this.#selection.matches(object)) this.#write("ADDED", object);
  }

  /** Tells what happened since `revision`; false when that is too long ago. */
  #tellPast(revision: number): boolean {
    const { store } = this.#server;
    const past = store.changesSince(revision, this.#resource.key);
    if (past === undefined) {
      const { status } = new Refusal(410, "Expired", `too old resource version: ${revision} (${store.oldestRevision(this.#resource.key)})`);
      this.stream.write(`{"type":"ERROR","object":${JSON.stringify(status)}}\n`);
      this.stream.end();
      return false;
    }
    for (const change of past) this.#tell(change);
    return true;
  }

  /** An object that comes to match is new to this watch, one that ceases to is gone from it. */
  #tell({ type, object, previous, revision }: Change): void {
    this.#told = revision;
    const before = previous !== undefined && this.#selection.matches(previous);
    const after = type !== "DELETED" && this.#selection.matches(object);
    if (after) return this.#write(before ? "MODIFIED" : "ADDED", object);
    if (!before) return;
    this.#write("DELETED", type === "DELETED" ? object : at(previous, revision));
  }

  #write(type: string, object: KubeObject): void {
    this.stream.write(`{"type":"${type}","object":${textOf(inVersion(object, this.#apiVersion))}}\n`);
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): void {
    const revision = String(Math.max(this.#told, this.#server.store.revision));
    const metadata = { resourceVersion: revision, ...(annotations === undefined ? {} : { annotations }) };
    const object = { kind: this.#resource.kind, apiVersion: this.#apiVersion, metadata };
    this.stream.write(`{"type":"BOOKMARK","object":${JSON.stringify(object)}}\n`);
  }
}

function watchRevision(query: URLSearchParams, current: number): number {
  try {
    return revisionOf(query, current);
  } catch (error) {
    throw error instanceof MalformedRevision ? new Refusal(500, "", error.message) : error;
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
    throw invalid(about, "", [forbidden("resourceVersionMatch", why)]);
  }
  if (match === "NotOlderThan") return;
  const why =
    match === ""
      ? "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
      : "sendInitialEvents requires resourceVersionMatch=NotOlderThan";
  throw invalid(about, "", [forbidden("resourceVersionMatch", why)]);
}
