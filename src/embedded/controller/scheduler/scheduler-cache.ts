import { fieldsAt, listAt, type KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { addQuantities, podTotals, quantityOf, subtractQuantities, type ResourceQuantities, type Quantity } from "../../builtin/index.ts";

/** A node with the resources that its pods request. */
export type NodeState = {
  readonly node: KubeObject;
  readonly pods: ReadonlyMap<string, Pod>;
  /** The pods that have anti-affinity terms. */
  readonly podsWithAntiAffinity: ReadonlyMap<string, Pod>;
  readonly used: ReadonlyMap<string, Quantity>;
};

type MutableNodeState = {
  node: KubeObject | undefined;
  readonly pods: Map<string, Pod>;
  readonly podsWithAntiAffinity: Map<string, Pod>;
  readonly used: Map<string, Quantity>;
};

/** Caches the pods of each node and their requests, and updates them by each event. Models pkg/scheduler/internal/cache */
export class SchedulerCache {
  readonly #states = new Map<string, MutableNodeState>();
  #sorted: readonly NodeState[] | undefined;

  setNode(node: KubeObject): void {
    this.#stateOf(node.metadata.name).node = node;
    this.#sorted = undefined;
  }

  removeNode(name: string): void {
    const state = this.#states.get(name);
    if (state !== undefined) state.node = undefined;
    this.#sorted = undefined;
  }

  /** Adds a pod to its node, replacing its previous version. */
  setPod(key: string, pod: Pod, previous: Pod | undefined): void {
    const node = occupied(pod);
    const before = previous && occupied(previous);
    if (node !== undefined && node === before && previous?.spec === pod.spec) {
      count(this.#stateOf(node), key, pod);
      return;
    }
    if (previous !== undefined) this.removePod(key, previous);
    if (node === undefined) return;
    const state = this.#stateOf(node);
    count(state, key, pod);
    for (const [name, amount] of requestsOf(pod)) state.used.set(name, addQuantities(state.used.get(name) ?? none, amount));
  }

  removePod(key: string, pod: Pod): void {
    const node = pod.spec.nodeName;
    const state = node === undefined ? undefined : this.#states.get(node);
    const counted = state?.pods.get(key);
    if (state === undefined || counted === undefined) return;
    state.pods.delete(key);
    state.podsWithAntiAffinity.delete(key);
    for (const [name, amount] of requestsOf(counted)) state.used.set(name, subtractQuantities(state.used.get(name) ?? none, amount));
  }

  /** The nodes, sorted by name. */
  all(): readonly NodeState[] {
    this.#sorted ??= [...this.#states.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, state]) => state)
      .filter((state): state is MutableNodeState & { node: KubeObject } => state.node !== undefined);
    return this.#sorted;
  }

  #stateOf(name: string): MutableNodeState {
    let state = this.#states.get(name);
    if (state === undefined) {
      state = { node: undefined, pods: new Map(), podsWithAntiAffinity: new Map(), used: new Map() };
      this.#states.set(name, state);
    }
    return state;
  }
}

function count({ pods, podsWithAntiAffinity }: MutableNodeState, key: string, pod: Pod): void {
  pods.set(key, pod);
  if (pod.spec["affinity"] !== undefined && fieldsAt(pod.spec, "affinity")["podAntiAffinity"] !== undefined)
    podsWithAntiAffinity.set(key, pod);
}

const none: Quantity = { nano: 0n, format: "decimal" };

/** The node whose resources a pod uses: it is bound and not terminal. */
function occupied({ spec, status }: Pod): string | undefined {
  return status?.phase === "Succeeded" || status?.phase === "Failed" ? undefined : spec.nodeName;
}

const totals = new WeakMap<object, ResourceQuantities>();

/** The requests of a pod; summed up once for each spec. */
export function requestsOf(pod: Pod): ResourceQuantities {
  let known = totals.get(pod.spec);
  if (known === undefined) {
    known = podTotals(pod.spec, "requests");
    totals.set(pod.spec, known);
  }
  return known;
}

export function allocatable(node: KubeObject, name: string): Quantity {
  return quantityOf(fieldsAt(node, "status.allocatable")[name]);
}

/** The host ports that a pod binds: `TCP 0.0.0.0 8080`. */
export function hostPortsOf(pod: Pod): readonly { readonly ip: string; readonly port: number; readonly protocol: string }[] {
  return pod.spec.containers.flatMap((container) =>
    listAt(container, "ports").flatMap(({ hostPort, hostIP, protocol }) => {
      if (typeof hostPort !== "number" || hostPort <= 0) return [];
      return [
        { port: hostPort, ip: typeof hostIP === "string" ? hostIP : "0.0.0.0", protocol: typeof protocol === "string" ? protocol : "TCP" },
      ];
    }),
  );
}
