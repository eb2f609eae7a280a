import type { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import {
  Subscription,
  waitForKind,
  UnknownKind,
  type Cluster,
  type InformerEvent,
  type KindOrResource,
  type Lister,
  type Selection,
} from "../../kube/index.ts";
import { ScopedInformer } from "./scoped-informer.ts";

export type SharedInformerOptions = Selection & {
  /** Reduces each object to what is shown. Informers with different reductions are not shared: one function for each. */
  readonly transform?: (object: KubeObject) => KubeObject;
  /** Emits the pages of the first list as they arrive. Default: all at once. */
  readonly byPage?: boolean;
};

type Options = SharedInformerOptions & {
  readonly namespaces: readonly string[];
  /** Hears of every success, and of every failure with its cause. */
  readonly onState: (because: Fault | undefined) => void;
  readonly signal: AbortSignal;
};

/**
 * The objects of a kind that a visitor may read, for any number of readers; each gets what an Informer gives. Without a namespace it
 * follows all of them, or those that the visitor has named. What may no longer be read is deleted for the readers.
 */
export class SharedInformer implements AsyncIterable<InformerEvent> {
  readonly #cluster: Cluster;
  readonly #target: KindOrResource;
  readonly #options: Options;
  readonly #readers = new Set<Subscription<InformerEvent>>();
  #scopes: readonly ScopedInformer[] = [];
  #problem: Fault | undefined;
  #isStarted = false;

  constructor(cluster: Cluster, target: KindOrResource, options: Options) {
    this.#cluster = cluster;
    this.#target = target;
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** The objects that may be read, as far as they are known. */
  get lister(): Lister {
    const scopes = this.#scopes;
    return {
      find: (namespace, name) => firstOf(scopes, ({ lister }) => lister.find(namespace, name)),
      all: () => this.#all(),
      size: scopes.reduce((sum, { lister }) => sum + lister.size, 0),
    };
  }

  /** Whether objects of one namespace at least are known as they are now. */
  get isRead(): boolean {
    return this.#scopes.some(({ state }) => state === "synced");
  }

  /** The namespaces that may not be read; undefined stands for all of them at once. */
  get refused(): readonly (string | undefined)[] {
    return this.#scopes.filter(({ isRefused }) => isRefused).map(({ namespace }) => namespace);
  }

  [Symbol.asyncIterator](): AsyncIterator<InformerEvent> {
    const reader: Subscription<InformerEvent> = new Subscription(() => this.#readers.delete(reader));
    if (this.#options.signal.aborted) {
      reader.end();
      return reader;
    }
    reader.push([...this.#all()].map((object) => ({ type: "added", object })));
    reader.push(this.#state());
    this.#readers.add(reader);
    if (!this.#isStarted) void this.#start();
    return reader;
  }

  async #start(): Promise<void> {
    this.#isStarted = true;
    const { signal } = this.#options;
    const namespaces = await this.#namespaces();
    if (signal.aborted) return;
    const { transform, labelSelector, fieldSelector, byPage = false } = this.#options;
    const selection = {
      byPage,
      ...(transform === undefined ? {} : { transform }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    const listener = {
      onChanges: (changes: readonly InformerEvent[]) => this.#push(changes),
      onState: (b: Fault | undefined) => this.#onState(b),
    };
    this.#scopes = namespaces.map(
      (namespace) =>
        new ScopedInformer(this.#cluster, this.#target, {
          ...selection,
          ...(namespace === undefined ? {} : { namespace }),
          ...listener,
          signal,
        }),
    );
    for (const scope of this.#scopes) void scope.run();
  }

  /** The namespaces to follow; undefined stands for all of them. */
  async #namespaces(): Promise<readonly (string | undefined)[]> {
    const { namespace, namespaces, signal } = this.#options;
    if (namespace !== undefined || namespaces.length === 0) return [namespace];
    return (await this.#isNamespaced(signal)) ? namespaces : [undefined];
  }

  async #isNamespaced(signal: AbortSignal): Promise<boolean> {
    try {
      const known = await this.#cluster.discovery.find(this.#target);
      if (known !== undefined) return known.namespaced;
      const { group, version, kind } = this.#target;
      this.#problem = new UnknownKind({ group, version, kind });
      this.#push(this.#state());
      const { namespaced } = await waitForKind(this.#cluster, this.#target, signal);
      this.#problem = undefined;
      return namespaced;
    } catch {
      return true; // the informers meet the same error, and tell of it
    }
  }

  #onState(because: Fault | undefined): void {
    this.#options.onState(because);
    this.#push(this.#state());
  }

  /** Known as a whole when every namespace is, as far as it may be read. */
  #state(): readonly InformerEvent[] {
    if (this.#problem !== undefined) return [{ type: "interrupted", because: this.#problem }];
    if (this.#scopes.length === 0 || this.#scopes.some(({ state }) => state === "starting")) return [];
    const [because] = this.#scopes.flatMap(({ state }) => (typeof state === "string" ? [] : [state]));
    return [
      ...(this.isRead ? [{ type: "synced" } as const] : []),
      ...(because === undefined ? [] : [{ type: "interrupted", because } as const]),
    ];
  }

  #push(events: readonly InformerEvent[]): void {
    for (const reader of this.#readers) reader.push(events);
  }

  *#all(): Iterable<KubeObject> {
    for (const { lister } of this.#scopes) yield* lister.all();
  }

  #end(): void {
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }
}

function firstOf<T, R>(all: readonly T[], find: (each: T) => R | undefined): R | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
