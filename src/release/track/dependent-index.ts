import type { Cancel } from "../../core/clock/index.ts";
import type { GroupVersionKind, KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { InformerFactory, OnTrouble, SharedInformer } from "./informer-factory.ts";

const podKind = { group: "", version: "v1", kind: "Pod" };
/** What a controller makes for a workload in between, and the pods are of that. */
const intermediateKinds: Readonly<Record<string, GroupVersionKind>> = {
  Deployment: { group: "apps", version: "v1", kind: "ReplicaSet" },
  CronJob: { group: "batch", version: "v1", kind: "Job" },
};

/**
 * What controllers made for the workloads of one namespace, by the workload's kind and name. Names count, since the
 * garbage collector deletes a ReplicaSet before its pods: nothing but their names leads from these pods to the Deployment.
 */
export class DependentIndex {
  readonly #informers: InformerFactory;
  readonly #namespace: string;
  readonly #informersByKind = new Map<string, readonly SharedInformer[]>();
  readonly #watched = new Set<SharedInformer>();
  readonly #dependents = new Map<string, Map<string, KubeObject>>();
  readonly #handlers = new Map<string, Set<() => void>>();

  constructor(informers: InformerFactory, namespace: string) {
    this.#informers = informers;
    this.#namespace = namespace;
  }

  /** Begins to read what belongs to workloads of the kind. Whoever follows one later does not wait for that. */
  prefetch(owner: ObjectRef): void {
    for (const informer of this.#informersFor(owner)) this.#watch(informer);
  }

  /** Calls back at once when all is known, and at every change of what belongs to the workload. */
  follow(owner: ObjectRef, on: () => void, trouble: OnTrouble): Cancel {
    const key = keyFor(owner.kind, owner.name);
    const handlers = this.#handlers.get(key) ?? new Set();
    this.#handlers.set(key, handlers.add(on));
    const cancels = this.#informersFor(owner).flatMap((informer) => {
      this.#watch(informer);
      return [informer.onTrouble(trouble), informer.onSynced(on)];
    });
    return () => {
      handlers.delete(on);
      for (const cancel of cancels) cancel();
    };
  }

  /** Whether everything that belongs to the workload is known. */
  isSynced(owner: ObjectRef): boolean {
    return this.#informersFor(owner).every(({ isSynced }) => isSynced);
  }

  /** What is left of a workload with this uid. An empty uid stands for any. */
  of(owner: ObjectRef, uid: string): readonly KubeObject[] {
    const named = this.#dependents.get(keyFor(owner.kind, owner.name));
    return named === undefined ? [] : [...named.values()].filter((object) => uid === "" || this.#belongsTo(object, owner.kind, uid));
  }

  #belongsTo(object: KubeObject, kind: string, uid: string): boolean {
    const controller = controllerOf(object);
    if (controller?.kind === kind) return controller.uid === uid;
    const between = intermediateKinds[kind];
    const found = between === undefined ? undefined : this.#informer(between).find(controller?.name ?? "");
    // The owner of what has an owner that is gone is gone too.
    return found === undefined || found.metadata.uid !== controller?.uid || controllerOf(found)?.uid === uid;
  }

  #informersFor({ kind }: ObjectRef): readonly SharedInformer[] {
    const known = this.#informersByKind.get(kind);
    if (known !== undefined) return known;
    const between = intermediateKinds[kind];
    const informers = [...(between === undefined ? [] : [this.#informer(between)]), this.#informer(podKind)];
    this.#informersByKind.set(kind, informers);
    return informers;
  }

  #informer(kind: GroupVersionKind): SharedInformer {
    return this.#informers.informerFor(kind, this.#namespace);
  }

  #watch(informer: SharedInformer): void {
    if (this.#watched.has(informer)) return;
    this.#watched.add(informer);
    for (const object of informer.all()) this.#put(object, true);
    informer.watch((object) => {
      this.#put(object, informer.find(object.metadata.name) !== undefined);
      for (const key of workloadKeysOf(object)) for (const on of this.#handlers.get(key) ?? []) on();
    });
  }

  #put(object: KubeObject, there: boolean): void {
    const { uid = "" } = object.metadata;
    for (const key of workloadKeysOf(object)) {
      const named = this.#dependents.get(key) ?? new Map<string, KubeObject>();
      this.#dependents.set(key, named);
      if (there) named.set(uid, object);
      else named.delete(uid);
    }
  }
}

function keyFor(kind: string, name: string): string {
  return `${kind}/${name}`;
}

function controllerOf({ metadata }: KubeObject) {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** The workloads that an object belongs to by name: its controller, and the one above that. */
function workloadKeysOf(object: KubeObject): readonly string[] {
  const controller = controllerOf(object);
  if (controller === undefined) return [];
  const { kind, name } = controller;
  const above = kind === "ReplicaSet" ? deploymentOf(object, name) : kind === "Job" ? /^(.+)-\d+$/.exec(name)?.[1] : undefined;
  const owners = [keyFor(kind, name)];
  return above === undefined ? owners : [...owners, keyFor(kind === "Job" ? "CronJob" : "Deployment", above)];
}

/** Models pkg/controller/deployment/sync.go getNewReplicaSet: a ReplicaSet has the name of its Deployment and the hash. */
function deploymentOf(pod: KubeObject, replicaSet: string): string | undefined {
  const hash = pod.metadata.labels?.["pod-template-hash"];
  return hash !== undefined && replicaSet.endsWith(`-${hash}`) ? replicaSet.slice(0, -hash.length - 1) : undefined;
}
