import type { Clock } from "../core/clock/index.ts";
import type { Answer, Request } from "../core/exchange/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import type { Discovery } from "./discovery.ts";
import type { ListOptions, ListPage, ObjectList } from "./list.ts";
import type { LogOptions } from "./logs.ts";
import type { ObjectLocation, KindOrResource } from "./resource.ts";
import type { Abortable } from "./selection.ts";
import type { WatchEvent, WatchOptions, WatchStream } from "./watch.ts";
import type { ApplyOptions, CreateOptions, Deleted, DeleteOptions, Patch, WriteOptions } from "./write-options.ts";

export type ReadOptions = Abortable & { readonly subresource?: string };

export type ServerVersion = { readonly major: string; readonly minor: string; readonly gitVersion: string };

/**
 * A cluster, as something to read and write. Every refusal is thrown as an ApiFault, a kind that is not served as
 * UnknownKind, a connection that fails as ConnectionFault. Bodies are sent exactly as given.
 */
export type Cluster = {
  /** What kinds there are. */
  readonly discovery: Discovery;
  /** Where objects go that have a namespace and name none. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** How many connections to it have ended so far: between two requests with one number the server has been the same. */
  lostConnections(): number;

  get(ref: ObjectLocation, options?: ReadOptions): Promise<KubeObject>;
  /** Like `get`, but undefined when the object is not there. */
  find(ref: ObjectLocation, options?: ReadOptions): Promise<KubeObject | undefined>;
  /** All objects at one moment, however many requests that takes. */
  list(target: KindOrResource, options?: ListOptions): Promise<ObjectList>;
  /** The same page by page. */
  pages(target: KindOrResource, options?: ListOptions): AsyncIterable<ListPage>;

  create(object: KubeObject, options?: CreateOptions): Promise<KubeObject>;
  /** Puts `object` in the place of what is there; with a resourceVersion in it, only of that version. */
  replace(object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch(ref: ObjectLocation, patch: Patch, options?: WriteOptions): Promise<KubeObject>;
  /** Server-side apply. Fields that others own are refused, by name and owner: see `ApiFault.conflicts`. */
  apply(object: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  delete(ref: ObjectLocation, options?: DeleteOptions): Promise<Deleted>;
  /** Deletes everything that is selected; answers what was there. */
  deleteCollection(target: KindOrResource, options?: ListOptions & DeleteOptions): Promise<readonly KubeObject[]>;

  /**
   * Events until the signal aborts. Broken streams are taken up again after the last event seen; when that is no
   * longer possible, an ApiFault that `isGone` knows is thrown: list, then watch from there (an Informer does).
   */
  watch(target: KindOrResource, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /** One stream of events, until the server ends it. */
  openWatch(target: KindOrResource, options?: WatchOptions): Promise<WatchStream>;
  /** The log of a pod, line by line. */
  logs(namespace: string, pod: string, options?: LogOptions): AsyncIterable<string>;

  version(options?: Abortable): Promise<ServerVersion>;
  /** Any request at all; its answer comes back whatever its status is. Sent once only. */
  raw(request: Omit<Request, "signal" | "headers"> & Partial<Pick<Request, "signal" | "headers">>): Promise<Answer>;
};
