import type { Fault } from "../../core/fault/index.ts";
import { escapeFieldValue, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import { isForbidden, isUnknownKind, UnknownKind, type Cluster, type Lister, type Selection } from "../../kube/index.ts";
import type { ViewContext } from "../view-context.ts";

/** What an informer has told so far. */
type Source = {
  readonly lister: () => Lister;
  /** Resolves when it has synced, or when it is known why it cannot. */
  readonly settled: PromiseWithResolvers<void>;
  isSettled: boolean;
  hasSynced: boolean;
  /** Why it is not up to date now. */
  fault: Fault | undefined;
};

/**
 * A cluster whose reads are answered from informers, each started at the first read that needs it. Reads that follow cost no
 * request, so whatever reads a cluster can be computed again at every change.
 */
export class CachedCluster {
  /** Reads come from the cache; everything else goes to the cluster. */
  readonly cluster: Cluster;
  readonly #context: Pick<ViewContext, "cluster" | "informers" | "signal">;
  readonly #onChange: () => void;
  readonly #sources = new Map<string, Source>();

  /** `onChange` is called at every change of what was read, and when something can no longer be read or can again. */
  constructor(context: Pick<ViewContext, "cluster" | "informers" | "signal">, onChange: () => void) {
    this.#context = context;
    this.#onChange = onChange;
    const { cluster } = context;
    const find: Cluster["find"] = (ref) => this.#find(ref);
    this.cluster = {
      ...cluster,
      find,
      get: async (ref) => (await find(ref)) ?? cluster.get(ref),
      list: (target, { namespace, labelSelector, fieldSelector } = {}) => this.#list(target, { namespace, labelSelector, fieldSelector }),
      pages: (target, options) => this.#pages(target, options),
    };
  }

  /** What cannot be read now, and why. */
  get faults(): readonly { readonly what: string; readonly because: Fault }[] {
    return [...this.#sources].flatMap(([what, { fault }]) =>
      fault === undefined || isUnknownKind(fault) ? [] : [{ what, because: fault }],
    );
  }

  async #find(ref: Parameters<Cluster["find"]>[0]): Promise<KubeObject | undefined> {
    const { group, version, kind, name } = ref;
    const resource = await this.#context.cluster.discovery.find({ group, version, kind });
    if (resource === undefined) throw new UnknownKind({ group, version, kind });
    const namespace = resource.namespaced ? ref.namespace || this.#context.cluster.namespace : "";
    // A Lease is one of many, which others renew all the time.
    const alone = kind === "Lease" ? { fieldSelector: `metadata.name=${escapeFieldValue(name)}` } : {};
    const lister = await this.#lister({ group, version, kind }, { ...(resource.namespaced ? { namespace } : {}), ...alone }, slim);
    return lister.find(namespace, name);
  }

  async #list(target: GroupVersionKind, selection: { readonly [K in keyof Selection]: Selection[K] | undefined }) {
    const { group, version, kind } = target;
    const given = Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
    const lister = await this.#lister({ group, version, kind }, given, given["labelSelector"] === undefined ? slim : whole);
    return { items: [...lister.all()], resourceVersion: "" };
  }

  async *#pages(target: GroupVersionKind, options: Parameters<Cluster["pages"]>[1]) {
    yield { ...(await this.cluster.list(target, options)), left: 0 };
  }

  /** Throws when it could never be read, or when the right to it was taken away. */
  async #lister(kind: GroupVersionKind, selection: Selection, transform: (object: KubeObject) => KubeObject): Promise<Lister> {
    const what = whatOf(kind, selection);
    const source = this.#sources.get(what) ?? this.#start(what, kind, selection, transform);
    await source.settled.promise;
    const { fault } = source;
    if (fault !== undefined && !isUnknownKind(fault) && (!source.hasSynced || isForbidden(fault))) throw fault;
    return source.lister();
  }

  #start(what: string, kind: GroupVersionKind, selection: Selection, transform: (object: KubeObject) => KubeObject): Source {
    const { informers, signal } = this.#context;
    const informer = informers.use(kind, { ...selection, transform }, signal);
    const source: Source = {
      lister: () => informer.lister,
      settled: Promise.withResolvers(),
      isSettled: false,
      hasSynced: false,
      fault: undefined,
    };
    this.#sources.set(what, source);
    this.#follow(source, informer).catch((error: unknown) => this.#settle(source, error as Fault));
    signal.addEventListener("abort", () => source.settled.reject(signal.reason), { once: true });
    source.settled.promise.catch(() => undefined); // whoever reads receives the error
    return source;
  }

  async #follow(source: Source, informer: ReturnType<ViewContext["informers"]["use"]>): Promise<void> {
    for await (const event of informer) {
      if (event.type === "synced") source.hasSynced = true;
      if (event.type === "synced" || event.type === "interrupted")
        this.#settle(source, event.type === "interrupted" ? event.because : undefined);
      else if (source.isSettled) this.#onChange();
    }
  }

  #settle(source: Source, fault: Fault | undefined): void {
    source.fault = fault;
    if (source.isSettled) return this.#onChange();
    source.isSettled = true;
    source.settled.resolve();
  }
}

/** `Pod in shop` */
function whatOf({ group, version, kind }: GroupVersionKind, { namespace, labelSelector, fieldSelector }: Selection): string {
  const chosen = [labelSelector, fieldSelector].filter((selector) => selector !== undefined).map((selector) => ` (${selector})`);
  const name = group === "" ? kind : `${kind}.${version}.${group}`;
  return `${name}${namespace === undefined ? "" : ` in ${namespace}`}${chosen.join("")}`;
}

function whole(object: KubeObject): KubeObject {
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Records and recordings are large, and nobody asks for their content by name. */
function slim(object: KubeObject): KubeObject {
  const { type } = object;
  const isRecord = object.kind === "Secret" && (type === "helm.sh/release.v1" || type === "sluice.dev/recording.v1");
  return isRecord ? { ...whole(object), data: {} } : whole(object);
}
