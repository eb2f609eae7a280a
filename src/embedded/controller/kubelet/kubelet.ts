import type { KubeObject } from "../../../core/object/index.ts";
import { listAt, stringAt } from "../../../core/object/index.ts";
import {
  attemptOf,
  nextPodStatus,
  asPod,
  type Behaviour,
  type ContainerStatus,
  type PodRuntimeState,
  type NextPodStatus,
  type Pod,
} from "../../behaviour/index.ts";
import { insufficientCapacity } from "./insufficient-capacity.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type Controller, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { initializeNode, createNodes, type NodeTemplate } from "./create-nodes.ts";
import { PodIpAllocator } from "./pod-ip-allocator.ts";

/** The kubelets of all nodes, and the nodes. Durations are sampled from `seed` and each pod's name. */
export function kubelet({
  behaviour,
  seed,
  nodes,
}: {
  behaviour: Behaviour;
  seed: number;
  nodes: readonly NodeTemplate[];
}): ControllerConstructor {
  return (context) => {
    createNodes(context, nodes);
    return new Kubelet(context, behaviour, seed);
  };
}

class Kubelet implements Controller {
  readonly name = "kubelet";
  readonly #context: EmbeddedControllerContext;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  readonly #addresses = new PodIpAllocator();
  /** Losing it costs only precision: see PodRuntimeState. */
  readonly #runtimeStates = new Map<string, { readonly uid: string | undefined; readonly memory: PodRuntimeState }>();
  /** The images of each node, by `node image`. */
  readonly #images = new Set<string>();
  /** Pods that wait for a ConfigMap or Secret, by `kind namespace/name` of the missing object. */
  readonly #missing = new Map<string, Set<string>>();
  /** The pod whose status is being written: its own write does not enqueue it. */
  #writing = "";

  constructor(context: EmbeddedControllerContext, behaviour: Behaviour, seed: number) {
    this.#context = context;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    pods: (change: StoreEvent) => this.#keysOfPod(change),
    nodes: ({ type, object }: StoreEvent) => (type === "ADDED" ? [namespacedKeyOf(object), ...this.#podsOn(object.metadata.name)] : []),
    configmaps: (change: StoreEvent) => this.#podsWaitingFor(change),
    secrets: (change: StoreEvent) => this.#podsWaitingFor(change),
  };

  #podsWaitingFor({ type, object }: StoreEvent): Iterable<string> {
    if (type === "DELETED") return [];
    const id = `${object.kind} ${namespacedKeyOf(object)}`;
    const waiters = this.#missing.get(id) ?? [];
    this.#missing.delete(id);
    return waiters;
  }

  #keysOfPod({ type, object }: StoreEvent): string[] {
    const key = namespacedKeyOf(object);
    const address = asPod(object).status?.podIP;
    if (type === "DELETED") {
      this.#addresses.release(address, key);
      this.#runtimeStates.delete(key);
      return [];
    }
    if (type === "ADDED" && address !== undefined) this.#addresses.occupy(address, key);
    return key === this.#writing || asPod(object).spec.nodeName === undefined ? [] : [key];
  }

  #podsOn(node: string): string[] {
    return this.#context.api
      .list("pods")
      .filter((pod) => asPod(pod).spec.nodeName === node)
      .map(namespacedKeyOf);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = splitKey(key);
    if (namespace === "") return this.#initializeNode(name);
    const found = this.#context.api.read("pods", namespace, name);
    const pod = found && asPod(found);
    const node = pod?.spec.nodeName === undefined ? undefined : this.#context.api.read("nodes", "", pod.spec.nodeName);
    if (pod === undefined) return undefined;
    if (node !== undefined) return this.#syncPod(pod, node, key);
    // Models pkg/controller/podgc: only it can complete the deletion of a pod whose node is gone.
    if (pod.metadata.deletionTimestamp !== undefined) this.#context.api.delete("pods", namespace, name, { graceSeconds: 0 });
    return undefined;
  }

  #initializeNode(name: string): undefined {
    const node = this.#context.api.read("nodes", "", name);
    if (node !== undefined) initializeNode(this.#context, node);
  }

  #syncPod(pod: Pod, node: KubeObject, key: string): number | undefined {
    const { uid } = pod.metadata;
    const known = this.#runtimeStates.get(key);
    const nodeName = node.metadata.name;
    const asked = new Set<string>();
    const next = nextPodStatus({
      pod,
      behaviour: this.#behaviour,
      now: this.#context.clock.now(),
      seed: this.#seed,
      runtimeState: known?.uid === uid ? known?.memory : undefined,
      attempt: this.#attemptOf(pod),
      hostIP: hostAddress(node),
      podIP: () => this.#addresses.allocate(key),
      find: (kind, name) => {
        const { namespace = "" } = pod.metadata;
        asked.add(`${kind} ${namespace}/${name}`);
        return this.#context.api.read(kind === "ConfigMap" ? "configmaps" : "secrets", namespace, name);
      },
      infeasible: () => insufficientCapacity(pod, node),
      hasImage: (image) => this.#images.has(`${nodeName} ${image}`),
    });
    this.#runtimeStates.set(key, { uid, memory: next.runtimeState });
    if (lacksConfig(next)) for (const id of asked) this.#missing.set(id, (this.#missing.get(id) ?? new Set()).add(key));
    if (next.status !== pod.status) {
      this.#writing = key;
      try {
        this.#context.api.updateStatus("pods", { ...pod, status: next.status }, "kubelet");
      } finally {
        this.#writing = "";
      }
    }
    for (const { type, reason, message, container } of next.events) {
      if (reason === "Started") for (const { image } of pod.spec.containers) this.#images.add(`${nodeName} ${image}`);
      const place = container === undefined ? {} : { fieldPath: container };
      this.#context.record(pod, { type, reason, message, source: "kubelet", ...place });
    }
    if (!next.gone) return next.againInMs;
    const { namespace = "", name } = pod.metadata;
    this.#context.api.delete("pods", namespace, name, { graceSeconds: 0, ...(uid === undefined ? {} : { uid }) });
    return undefined;
  }

  #attemptOf(pod: Pod): number {
    const owner = pod.metadata.ownerReferences?.find(({ controller, kind }) => controller === true && kind === "Job");
    if (owner === undefined) return 0;
    const siblings = this.#context.api.ownedBy(owner.uid).filter(({ resource }) => resource === "pods");
    return attemptOf(
      pod,
      siblings.map(({ object }) => asPod(object)),
    );
  }
}

/** Whether a pod waits for a ConfigMap or Secret. */
function lacksConfig({ runtimeState, status }: NextPodStatus): boolean {
  return (
    runtimeState.mountedAt === undefined || [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(hasNoConfig)
  );
}

function hasNoConfig({ state }: ContainerStatus): boolean {
  return state.waiting?.reason === "CreateContainerConfigError";
}

function hostAddress(node: KubeObject): string {
  const internal = listAt(node, "status.addresses").find((address) => address["type"] === "InternalIP");
  return stringAt(internal, "address", "10.0.0.1");
}
