import { conditionsOf, listAt, type KubeObject } from "../../../core/object/index.ts";
import { podOf, scheduleWait, timestamp, type Behaviour, type Pod, type PodCondition } from "../../behaviour/index.ts";
import type { Change } from "../../store/index.ts";
import { keyOf, partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import { NodeStates } from "./node-state.ts";
import { looksAround } from "./pod-affinity.ts";
import { place, refusedBefore, type Verdict } from "./verdict.ts";
import { claimsOf, selectedNode, volumeFilter } from "./volumes.ts";

const eventSource = "default-scheduler";

/** The default scheduler. Rules may hold a pod back for a while, or for good. */
export function scheduler({ behaviour, seed }: { behaviour: Behaviour; seed: number }): MakeController {
  return (world) => new Scheduler(world, behaviour, seed);
}

class Scheduler implements Controller {
  readonly name = "kube-scheduler";
  readonly #world: World;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  readonly #nodes = new NodeStates();
  /** Pods that found no place, by key; whatever may make room sends them round again. */
  readonly #stuck = new Set<string>();
  /** Those of them that other pods may make room for by coming: they want to be near some. */
  readonly #sociable = new Set<string>();
  /** When each pod that is not placed yet was first seen. */
  readonly #seen = new Map<string, number>();

  constructor(world: World, behaviour: Behaviour, seed: number) {
    this.#world = world;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    nodes: (change: Change) => this.#noteNode(change),
    pods: (change: Change) => this.#notePod(change),
    persistentvolumeclaims: () => this.#stuck,
    persistentvolumes: () => this.#stuck,
    "storageclasses.storage.k8s.io": () => this.#stuck,
  };

  #noteNode({ type, object }: Change): Iterable<string> {
    if (type === "DELETED") this.#nodes.removeNode(object.metadata.name);
    else this.#nodes.setNode(object);
    return this.#stuck;
  }

  #notePod({ type, object, previous }: Change): Iterable<string> {
    const key = keyOf(object);
    const pod = podOf(object);
    if (type === "DELETED") {
      this.#nodes.removePod(key, pod);
      this.#forget(key);
      return this.#stuck;
    }
    this.#nodes.setPod(key, pod, previous && podOf(previous));
    if (isWaiting(pod)) {
      if (!this.#seen.has(key)) this.#seen.set(key, this.#world.clock.now());
      return onlyStatusChanged(object, previous) ? [] : [key];
    }
    this.#forget(key);
    const placed = pod.spec.nodeName !== undefined && previous !== undefined && podOf(previous).spec.nodeName === undefined;
    return hasEnded(pod) ? this.#stuck : placed ? this.#sociable : [];
  }

  #forget(key: string): void {
    this.#stuck.delete(key);
    this.#sociable.delete(key);
    this.#seen.delete(key);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOf(key);
    const found = this.#world.api.read("pods", namespace, name);
    if (found === undefined || !isWaiting(podOf(found))) return undefined;
    const pod = podOf(found);
    const wait = scheduleWait(pod, this.#behaviour, this.#seed);
    if ("never" in wait) {
      this.#refuse(pod, refusedFor(this.#nodes.all().length, wait.never));
      return undefined;
    }
    const now = this.#world.clock.now();
    const due = (this.#seen.get(key) ?? now) + wait.afterMs;
    if (due > now) return due - now;
    const claims = claimsOf(pod, this.#world.api);
    const nodes = this.#nodes.all();
    const verdict: Verdict =
      claims.refusal === undefined
        ? place(pod, { nodes, namespaceLabels: (of) => this.#labelsOf(of) }, volumeFilter(claims))
        : { message: refusedBefore(nodes.length, claims.refusal) };
    if ("message" in verdict) {
      this.#stuck.add(key);
      if (looksAround(pod)) this.#sociable.add(key);
      this.#refuse(pod, verdict.message);
    } else if (claims.waiting.length > 0) {
      this.#stuck.add(key);
      for (const claim of claims.waiting) this.#promise(claim, verdict.node);
    } else {
      this.#bind(pod, verdict.node);
    }
    return undefined;
  }

  #labelsOf(namespace: string): Readonly<Record<string, string>> {
    return this.#world.api.read("namespaces", "", namespace)?.metadata.labels ?? {};
  }

  #bind(pod: Pod, node: string): void {
    const { namespace = "", name } = pod.metadata;
    this.#world.api.update("pods", { ...pod, spec: { ...pod.spec, nodeName: node } }, "kube-scheduler");
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#world.record(pod, { type: "Normal", reason: "Scheduled", message, source: eventSource });
  }

  /** Tells the claim's provisioner where the volume will be needed; the pod is bound once the claim is. */
  #promise(claim: KubeObject, node: string): void {
    const annotations = claim.metadata.annotations ?? {};
    if (annotations[selectedNode] === node) return;
    const metadata = { ...claim.metadata, annotations: { ...annotations, [selectedNode]: node } };
    this.#world.api.update("persistentvolumeclaims", { ...claim, metadata }, "kube-scheduler");
  }

  /** Models pkg/scheduler/schedule_one.go handleSchedulingFailure */
  #refuse(pod: Pod, message: string): void {
    const before = conditionsOf(pod).find(({ type }) => type === "PodScheduled");
    if (before?.status === "False" && before.reason === "Unschedulable" && before.message === message) return;
    const { generation } = pod.metadata;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    const next: PodCondition = {
      type: "PodScheduled",
      ...observed,
      status: "False",
      lastProbeTime: null,
      lastTransitionTime: before?.status === "False" ? (before.lastTransitionTime ?? null) : timestamp(this.#world.clock.now()),
      reason: "Unschedulable",
      message,
    };
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
    const status = { ...pod.status, ...observed, conditions: [...others, next] };
    this.#world.api.updateStatus("pods", { ...pod, status }, "kube-scheduler");
    this.#world.record(pod, { type: "Warning", reason: "FailedScheduling", message, source: eventSource });
  }
}

function refusedFor(nodes: number, why: string): string {
  return refusedBefore(nodes, `${nodes} ${why === "" ? "Insufficient cpu" : why}`);
}

/** Not bound, not ended, not gated, and ours. */
function isWaiting(pod: Pod): boolean {
  const { nodeName = "", schedulerName = "default-scheduler" } = pod.spec;
  if (nodeName !== "" || schedulerName !== "default-scheduler" || pod.metadata.deletionTimestamp !== undefined) return false;
  return !hasEnded(pod) && listAt(pod.spec, "schedulingGates").length === 0;
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** What the scheduler writes about a pod that it cannot place is no reason to try again. */
function onlyStatusChanged(object: KubeObject, previous: KubeObject | undefined): boolean {
  return previous !== undefined && object["spec"] === previous["spec"] && object.metadata.labels === previous.metadata.labels;
}
