import { conditionsOf, listAt, type KubeObject } from "../../../core/object/index.ts";
import { asPod, scheduleDelay, timestamp, type Behaviour, type Pod, type PodCondition } from "../../behaviour/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type Controller, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { SchedulerCache } from "./scheduler-cache.ts";
import { hasInterPodConstraints } from "./inter-pod-affinity.ts";
import { schedulePod, preFilterMessage, type ScheduleResult } from "./schedule-pod.ts";
import { podVolumeClaimsOf, selectedNode, volumeFilter } from "./volume-binding.ts";

const eventSource = "default-scheduler";

/** The default scheduler. Rules may delay a pod or make it unschedulable. */
export function scheduler({ behaviour, seed }: { behaviour: Behaviour; seed: number }): ControllerConstructor {
  return (context) => new Scheduler(context, behaviour, seed);
}

class Scheduler implements Controller {
  readonly name = "kube-scheduler";
  readonly #context: EmbeddedControllerContext;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  readonly #cache = new SchedulerCache();
  /** Unschedulable pods by key; events that may free resources enqueue them again. */
  readonly #unschedulable = new Set<string>();
  /** Unschedulable pods with inter-pod constraints: another pod's binding may make them schedulable. */
  readonly #waitingForPods = new Set<string>();
  /** When each pending pod was first seen. */
  readonly #firstSeen = new Map<string, number>();

  constructor(context: EmbeddedControllerContext, behaviour: Behaviour, seed: number) {
    this.#context = context;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    nodes: (change: StoreEvent) => this.#onNodeEvent(change),
    pods: (change: StoreEvent) => this.#onPodEvent(change),
    persistentvolumeclaims: () => this.#unschedulable,
    persistentvolumes: () => this.#unschedulable,
    "storageclasses.storage.k8s.io": () => this.#unschedulable,
  };

  #onNodeEvent({ type, object }: StoreEvent): Iterable<string> {
    if (type === "DELETED") this.#cache.removeNode(object.metadata.name);
    else this.#cache.setNode(object);
    return this.#unschedulable;
  }

  #onPodEvent({ type, object, previous }: StoreEvent): Iterable<string> {
    const key = namespacedKeyOf(object);
    const pod = asPod(object);
    if (type === "DELETED") {
      this.#cache.removePod(key, pod);
      this.#forget(key);
      return this.#unschedulable;
    }
    this.#cache.setPod(key, pod, previous && asPod(previous));
    if (isWaiting(pod)) {
      if (!this.#firstSeen.has(key)) this.#firstSeen.set(key, this.#context.clock.now());
      return onlyStatusChanged(object, previous) ? [] : [key];
    }
    this.#forget(key);
    const placed = pod.spec.nodeName !== undefined && previous !== undefined && asPod(previous).spec.nodeName === undefined;
    return hasEnded(pod) ? this.#unschedulable : placed ? this.#waitingForPods : [];
  }

  #forget(key: string): void {
    this.#unschedulable.delete(key);
    this.#waitingForPods.delete(key);
    this.#firstSeen.delete(key);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = splitKey(key);
    const found = this.#context.api.read("pods", namespace, name);
    if (found === undefined || !isWaiting(asPod(found))) return undefined;
    const pod = asPod(found);
    const wait = scheduleDelay(pod, this.#behaviour, this.#seed);
    if ("never" in wait) {
      this.#markUnschedulable(pod, unschedulableFor(this.#cache.all().length, wait.never));
      return undefined;
    }
    const now = this.#context.clock.now();
    const due = (this.#firstSeen.get(key) ?? now) + wait.afterMs;
    if (due > now) return due - now;
    const claims = podVolumeClaimsOf(pod, this.#context.api);
    const nodes = this.#cache.all();
    const result: ScheduleResult =
      claims.unschedulable === undefined
        ? schedulePod(pod, { nodes, namespaceLabels: (of) => this.#labelsOf(of) }, volumeFilter(claims))
        : { message: preFilterMessage(nodes.length, claims.unschedulable) };
    if ("message" in result) {
      this.#unschedulable.add(key);
      if (hasInterPodConstraints(pod)) this.#waitingForPods.add(key);
      this.#markUnschedulable(pod, result.message);
    } else if (claims.waiting.length > 0) {
      this.#unschedulable.add(key);
      for (const claim of claims.waiting) this.#selectNode(claim, result.node);
    } else {
      this.#bind(pod, result.node);
    }
    return undefined;
  }

  #labelsOf(namespace: string): Readonly<Record<string, string>> {
    return this.#context.api.read("namespaces", "", namespace)?.metadata.labels ?? {};
  }

  #bind(pod: Pod, node: string): void {
    const { namespace = "", name } = pod.metadata;
    this.#context.api.update("pods", { ...pod, spec: { ...pod.spec, nodeName: node } }, "kube-scheduler");
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#context.record(pod, { type: "Normal", reason: "Scheduled", message, source: eventSource });
  }

  /** Sets the selected-node annotation for the claim's provisioner; the pod is bound once the claim is. */
  #selectNode(claim: KubeObject, node: string): void {
    const annotations = claim.metadata.annotations ?? {};
    if (annotations[selectedNode] === node) return;
    const metadata = { ...claim.metadata, annotations: { ...annotations, [selectedNode]: node } };
    this.#context.api.update("persistentvolumeclaims", { ...claim, metadata }, "kube-scheduler");
  }

  /** Models pkg/scheduler/schedule_one.go handleSchedulingFailure */
  #markUnschedulable(pod: Pod, message: string): void {
    const before = conditionsOf(pod).find(({ type }) => type === "PodScheduled");
    if (before?.status === "False" && before.reason === "Unschedulable" && before.message === message) return;
    const { generation } = pod.metadata;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    const next: PodCondition = {
      type: "PodScheduled",
      ...observed,
      status: "False",
      lastProbeTime: null,
      lastTransitionTime: before?.status === "False" ? (before.lastTransitionTime ?? null) : timestamp(this.#context.clock.now()),
      reason: "Unschedulable",
      message,
    };
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
    const status = { ...pod.status, ...observed, conditions: [...others, next] };
    this.#context.api.updateStatus("pods", { ...pod, status }, "kube-scheduler");
    this.#context.record(pod, { type: "Warning", reason: "FailedScheduling", message, source: eventSource });
  }
}

function unschedulableFor(nodes: number, why: string): string {
  return preFilterMessage(nodes, `${nodes} ${why === "" ? "Insufficient cpu" : why}`);
}

/** Not bound, not terminal, not gated, and of the default scheduler. */
function isWaiting(pod: Pod): boolean {
  const { nodeName = "", schedulerName = "default-scheduler" } = pod.spec;
  if (nodeName !== "" || schedulerName !== "default-scheduler" || pod.metadata.deletionTimestamp !== undefined) return false;
  return !hasEnded(pod) && listAt(pod.spec, "schedulingGates").length === 0;
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** The scheduler's own status writes do not enqueue a pod again. */
function onlyStatusChanged(object: KubeObject, previous: KubeObject | undefined): boolean {
  return previous !== undefined && object["spec"] === previous["spec"] && object.metadata.labels === previous.metadata.labels;
}
