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

type ReadOptions = Abortable & { readonly subresource?: string };

type ServerVersion = { readonly major: string; readonly minor: string; readonly gitVersion: string };

/**
 * A client of one cluster. API errors are thrown as ApiFault, unknown kinds as UnknownKind, connection errors as
 * ConnectionFault. Bodies are sent exactly as given.
 */
export type Cluster = {
  /** Knows which kinds the server serves. */
  readonly discovery: Discovery;
  /** The default namespace for namespaced objects that name none. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** How many connections have ended so far. While the number stays the same, the server has stayed the same. */
  lostConnections(): number;
  /** Waits before a retry: this long, or until a server that could not be reached answers again. */
  backOff(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back whenever a server that could not be reached answers again, until the signal aborts. */
  onRecovery(listener: () => void, signal: AbortSignal): void;

  get(ref: ObjectLocation, options?: ReadOptions): Promise<KubeObject>;
  /** Like `get`, but undefined when the object does not exist. */
  find(ref: ObjectLocation, options?: ReadOptions): Promise<KubeObject | undefined>;
  /** Lists all objects at one resourceVersion, in as many requests as that takes. */
  list(target: KindOrResource, options?: ListOptions): Promise<ObjectList>;
  /** The same, page by page. */
  pages(target: KindOrResource, options?: ListOptions): AsyncIterable<ListPage>;

  create(object: KubeObject, options?: CreateOptions): Promise<KubeObject>;
  /** Replaces an object. A resourceVersion in it must match. */
  replace(object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch(ref: ObjectLocation, patch: Patch, options?: WriteOptions): Promise<KubeObject>;
  /** Server-side apply. Fields that other field managers own are refused: see `ApiFault.conflicts`. */
  apply(object: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  delete(ref: ObjectLocation, options?: DeleteOptions): Promise<Deleted>;
  /** Deletes all selected objects, and returns them. */
  deleteCollection(target: KindOrResource, options?: ListOptions & DeleteOptions): Promise<readonly KubeObject[]>;

  /**
   * Watches until the signal aborts. A broken stream is resumed after the last event. When that is impossible, it
   * throws an ApiFault for which `isGone` holds: list again and watch from there (an Informer does).
   */
  watch(target: KindOrResource, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /** Opens one stream of events, until the server ends it. */
  openWatch(target: KindOrResource, options?: WatchOptions): Promise<WatchStream>;
  /** Reads the log of a pod, line by line. */
  logs(namespace: string, pod: string, options?: LogOptions): AsyncIterable<string>;

  version(options?: Abortable): Promise<ServerVersion>;
  /** The same cluster for another user, by impersonation: the server decides what that one may do. One client for each user. */
  impersonate(user: string): Cluster;
  /** Sends any request once, and returns the response whatever its status. */
  raw(request: Omit<Request, "signal" | "headers"> & Partial<Pick<Request, "signal" | "headers">>): Promise<Answer>;
};
