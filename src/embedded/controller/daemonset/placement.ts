import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { isRefusal, type Refusal } from "../../refusal.ts";
import { createPod, deletePod, isNamespaceEnding, isReady, phaseOf, slowStart } from "../pod/index.ts";
import type { FailedPods } from "./failed-pods.ts";
import { byAge, isWell, source, surgeOf, type DaemonSync } from "./set.ts";
import { hashOf, templateFor } from "./template.ts";

/** How many Pods one round makes, and ends, at most. */
const burst = 250;

/** What is to be done: nodes that get a Pod, Pods that go. */
export type Moves = { readonly create: readonly string[]; readonly end: readonly KubeObject[] };

/**
 * What must be done on each node for its own sake, updates apart. Answers too when to look again at Pods that failed a
 * moment ago.
 *
 * Models pkg/controller/daemon/daemon_controller.go manage and podsShouldBeOnNode
 */
export function placementMoves(sync: DaemonSync, failed: FailedPods): Moves & { readonly againMs?: number } {
  const create: string[] = [];
  const end: KubeObject[] = [];
  let againMs = Infinity;
  for (const [name, { shouldRun, mayStay }] of sync.fits) {
    const pods = sync.podsOn.get(name) ?? [];
    const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (shouldRun && pods.length === 0) create.push(name);
    else if (!mayStay) end.push(...staying);
    else {
      const ended = endedPods(sync, name, staying, failed);
      againMs = Math.min(againMs, ended.againMs);
      const running = staying.filter((pod) => phaseOf(pod) !== "Failed" && phaseOf(pod) !== "Succeeded").sort(byAge);
      end.push(...ended.pods, ...surplusOf(sync, running));
      if (surgeOf(sync.set, 1) > 0 && running.length === 0 && shouldRun) create.push(name);
    }
  }
  return { create, end: [...end, ...podsWithoutNode(sync)], ...(againMs === Infinity ? {} : { againMs }) };
}

/** Pods that have ended go, so that others can come: failed ones at a pace. */
function endedPods(
  sync: DaemonSync,
  node: string,
  pods: readonly KubeObject[],
  failed: FailedPods,
): { pods: KubeObject[]; againMs: number } {
  const { world, set } = sync;
  const ended: KubeObject[] = [];
  let againMs = Infinity;
  for (const pod of pods) {
    const who = `daemon pod ${pod.metadata.namespace}/${pod.metadata.name} on node ${node}`;
    if (phaseOf(pod) === "Succeeded") {
      world.record(set, { type: "Normal", reason: "SucceededDaemonPod", message: `Found succeeded ${who}, will try to delete it`, source });
      ended.push(pod);
    } else if (phaseOf(pod) === "Failed") {
      const waitMs = failed.waitMs(set, node, sync.nowMs);
      if (waitMs > 0) againMs = Math.min(againMs, waitMs);
      else {
        failed.note(set, node, sync.nowMs);
        world.record(set, { type: "Warning", reason: "FailedDaemonPod", message: `Found failed ${who}, will try to kill it`, source });
        ended.push(pod);
      }
    }
  }
  return { pods: ended, againMs };
}

/** All but the oldest; with surge, the oldest of the new template may stand beside the oldest of another until it is well. */
function surplusOf(sync: DaemonSync, running: readonly KubeObject[]): readonly KubeObject[] {
  if (running.length <= 1) return [];
  if (surgeOf(sync.set, 1) === 0) return running.slice(1);
  const fresh = running.find((pod) => hashOf(pod) === sync.hash);
  const former = running.find((pod) => hashOf(pod) !== sync.hash);
  const others = running.filter((pod) => pod !== fresh && pod !== former);
  const replaced = fresh !== undefined && former !== undefined && (!isReady(former) || isWell(sync, fresh));
  return replaced ? [...others, former] : others;
}

/** A Pod that waits for a node that is gone would wait for ever. */
function podsWithoutNode({ fits, podsOn }: DaemonSync): KubeObject[] {
  return [...podsOn].flatMap(([node, pods]) => (fits.has(node) ? [] : pods.filter((pod) => stringAt(pod, "spec.nodeName", "") === "")));
}

/** Carries moves out. Answers the first refusal. */
export function carryOut({ world, set, hash }: DaemonSync, { create, end }: Moves): Refusal | undefined {
  const maker = { world, owner: set, source };
  const made = slowStart(Math.min(create.length, burst), (place) => {
    try {
      createPod(maker, templateFor(set, hash, create[place]!));
    } catch (error) {
      if (!isNamespaceEnding(error)) throw error;
    }
  });
  let refusal = made.refusal;
  for (const pod of end.slice(0, burst)) {
    try {
      deletePod(maker, pod);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal ??= error;
    }
  }
  return refusal;
}
