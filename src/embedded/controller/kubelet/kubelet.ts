import type { KubeObject } from "../../../core/object/index.ts";
import { listAt, stringAt } from "../../../core/object/index.ts";
import {
  attemptOf,
  nextStatus,
  podOf,
  type Behaviour,
  type ContainerStatus,
  type Memory,
  type NextStatus,
  type Pod,
} from "../../behaviour/index.ts";
import type { Change } from "../../store/index.ts";
import { keyOf, partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import { adoptNode, startNodes, type NodeShape } from "./node.ts";
import { PodAddresses } from "./pod-addresses.ts";

/** The kubelets of all nodes, and the nodes. Durations are drawn from `seed` and each pod's name. */
export function kubelet({ behaviour, seed, nodes }: { behaviour: Behaviour; seed: number; nodes: readonly NodeShape[] }): MakeController {
  return (world) => {
    startNodes(world, nodes);
    return new Kubelet(world, behaviour, seed);
  };
}

class Kubelet implements Controller {
  readonly name = "kubelet";
  readonly #world: World;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  readonly #addresses = new PodAddresses();
  /** Only precision is lost with it: see Memory. */
  readonly #memories = new Map<string, { readonly uid: string | undefined; readonly memory: Memory }>();
  /** The images of each node, by `node image`. */
  readonly #images = new Set<string>();
  /** Pods that wait for a ConfigMap or Secret, by `kind namespace/name` of what is missing. */
  readonly #missing = new Map<string, Set<string>>();
  /** The pod whose status is being written: that change is no news. */
  #writing = "";

  constructor(world: World, behaviour: Behaviour, seed: number) {
    this.#world = world;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    pods: (change: Change) => this.#keysOfPod(change),
    nodes: ({ type, object }: Change) => (type === "ADDED" ? [keyOf(object), ...this.#podsOn(object.metadata.name)] : []),
    configmaps: (change: Change) => this.#waitersOf(change),
    secrets: (change: Change) => this.#waitersOf(change),
  };

  #waitersOf({ type, object }: Change): Iterable<string> {
    if (type === "DELETED") return [];
    const id = `${object.kind} ${keyOf(object)}`;
    const waiters = this.#missing.get(id) ?? [];
    this.#missing.delete(id);
    return waiters;
  }

  #keysOfPod({ type, object }: Change): string[] {
    const key = keyOf(object);
    const address = podOf(object).status?.podIP;
    if (type === "DELETED") {
      if (address !== undefined) this.#addresses.free(address, key);
      this.#memories.delete(key);
      return [];
    }
    if (type === "ADDED" && address !== undefined) this.#addresses.keep(address, key);
    return key === this.#writing || podOf(object).spec.nodeName === undefined ? [] : [key];
  }

  #podsOn(node: string): string[] {
    return this.#world.api
      .list("pods")
      .filter((pod) => podOf(pod).spec.nodeName === node)
      .map(keyOf);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOf(key);
    if (namespace === "") return this.#adopt(name);
    const found = this.#world.api.read("pods", namespace, name);
    const pod = found && podOf(found);
    const node = pod?.spec.nodeName === undefined ? undefined : this.#world.api.read("nodes", "", pod.spec.nodeName);
    if (pod === undefined) return undefined;
    if (node !== undefined) return this.#carry(pod, node, key);
    // Models pkg/controller/podgc: nobody else can finish the deletion of a pod whose node is gone.
    if (pod.metadata.deletionTimestamp !== undefined) this.#world.api.delete("pods", namespace, name, { graceSeconds: 0 });
    return undefined;
  }

  #adopt(name: string): undefined {
    const node = this.#world.api.read("nodes", "", name);
    if (node !== undefined) adoptNode(this.#world, node);
  }

  #carry(pod: Pod, node: KubeObject, key: string): number | undefined {
    const { uid } = pod.metadata;
    const known = this.#memories.get(key);
    const nodeName = node.metadata.name;
    const asked = new Set<string>();
    const next = nextStatus({
      pod,
      behaviour: this.#behaviour,
      now: this.#world.clock.now(),
      seed: this.#seed,
      memory: known?.uid === uid ? known?.memory : undefined,
      attempt: this.#attemptOf(pod),
      hostIP: hostAddress(node),
      podIP: () => this.#addresses.take(key),
      find: (kind, name) => {
        const { namespace = "" } = pod.metadata;
        asked.add(`${kind} ${namespace}/${name}`);
        return this.#world.api.read(kind === "ConfigMap" ? "configmaps" : "secrets", namespace, name);
      },
      hasImage: (image) => this.#images.has(`${nodeName} ${image}`),
    });
    this.#memories.set(key, { uid, memory: next.memory });
    if (lacksConfig(next)) for (const id of asked) this.#missing.set(id, (this.#missing.get(id) ?? new Set()).add(key));
    if (next.status !== pod.status) {
      this.#writing = key;
      try {
        this.#world.api.updateStatus("pods", { ...pod, status: next.status }, "kubelet");
      } finally {
        this.#writing = "";
      }
    }
    for (const { type, reason, message, container } of next.events) {
      if (reason === "Started") for (const { image } of pod.spec.containers) this.#images.add(`${nodeName} ${image}`);
      const place = container === undefined ? {} : { fieldPath: container };
      this.#world.record(pod, { type, reason, message, source: "kubelet", ...place });
    }
    if (!next.gone) return next.againInMs;
    const { namespace = "", name } = pod.metadata;
    this.#world.api.delete("pods", namespace, name, { graceSeconds: 0, ...(uid === undefined ? {} : { uid }) });
    return undefined;
  }

  #attemptOf(pod: Pod): number {
    const owner = pod.metadata.ownerReferences?.find(({ controller, kind }) => controller === true && kind === "Job");
    if (owner === undefined) return 0;
    const siblings = this.#world.api.ownedBy(owner.uid).filter(({ resource }) => resource === "pods");
    return attemptOf(
      pod,
      siblings.map(({ object }) => podOf(object)),
    );
  }
}

/** Whether a pod cannot go on until a ConfigMap or Secret is there. */
function lacksConfig({ memory, status }: NextStatus): boolean {
  return memory.mountedAt === undefined || [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(hasNoConfig);
}

function hasNoConfig({ state }: ContainerStatus): boolean {
  return state.waiting?.reason === "CreateContainerConfigError";
}

function hostAddress(node: KubeObject): string {
  const internal = listAt(node, "status.addresses").find((address) => address["type"] === "InternalIP");
  return stringAt(internal, "address", "10.0.0.1");
}
