import assert from "node:assert/strict";
import { nextPodStatus, type NextPodStatusInput } from "../../../src/embedded/behaviour/next-pod-status.ts";
import { parseBehaviour } from "../../../src/embedded/behaviour/parse-behaviour.ts";
import { asPod, type ContainerStatus, type Pod, type PodStatus } from "../../../src/embedded/behaviour/pod.ts";
import type { PodRuntimeState, PodEvent } from "../../../src/embedded/behaviour/pod-sync.ts";

/** The start time of every pod in the tests. */
export const podStartMs = Date.UTC(2030, 0, 1);

export function podWith(spec: object, metadata: object = {}): Pod {
  const base = { name: "web", namespace: "default", uid: "u1", generation: 1 };
  const defaults = { nodeName: "node-1", restartPolicy: "Always", containers: [{ name: "c", image: "app:1" }] };
  return asPod({ apiVersion: "v1", kind: "Pod", metadata: { ...base, ...metadata }, spec: { ...defaults, ...spec } });
}

/** Rules with fixed durations, so that all times are whole numbers. */
const steady = { match: {}, pull: "1s", start: 0, init: "1s", terminate: "2s" };

export function behaviourOf(...rules: object[]) {
  const { behaviour, problems } = parseBehaviour(rules.map((rule) => ({ ...steady, ...rule })));
  assert.deepEqual(problems, []);
  return behaviour;
}

/** Runs a pod as a kubelet does: one line for each status that differs from the one before. */
export function runPod(
  pod: Pod,
  { behaviour = behaviourOf({}), until = 60_000, deleteAt = Infinity, forgetful = false, attempt = 0 } = {},
): { lines: string[]; events: PodEvent[]; last: PodStatus; gone: boolean } {
  let current = pod;
  let runtimeState: PodRuntimeState | undefined;
  let now = podStartMs;
  const lines: string[] = [];
  const events: PodEvent[] = [];
  for (;;) {
    if (now >= podStartMs + deleteAt && current.metadata.deletionTimestamp === undefined) {
      const deletionTimestamp = new Date(now + 30_000).toISOString().replace(".000", "");
      current = { ...current, metadata: { ...current.metadata, deletionTimestamp, deletionGracePeriodSeconds: 30 } };
    }
    const input: NextPodStatusInput = {
      pod: current,
      behaviour,
      now,
      seed: 1,
      runtimeState,
      attempt,
      hostIP: "10.0.0.1",
      podIP: () => "10.244.0.5",
    };
    const next = nextPodStatus(input);
    if (!forgetful) runtimeState = next.runtimeState;
    events.push(...next.events);
    if (next.status !== current.status) lines.push(`${(now - podStartMs) / 1000} ${show(next.status)}`);
    current = { ...current, status: next.status };
    if (next.gone) return { lines: [...lines, `${(now - podStartMs) / 1000} gone`], events, last: next.status, gone: true };
    const wake = next.againInMs === undefined ? Infinity : now + next.againInMs;
    const at = Math.min(wake, now < podStartMs + deleteAt ? podStartMs + deleteAt : Infinity);
    if (at > podStartMs + until) return { lines, events, last: next.status, gone: false };
    now = at;
  }
}

function show({ phase = "", conditions = [], initContainerStatuses = [], containerStatuses = [] }: PodStatus): string {
  const ready = conditions.find(({ type }) => type === "Ready")?.status === "True" ? " ready" : "";
  return `${phase}${ready}: ${[...initContainerStatuses, ...containerStatuses].map(showContainer).join(", ")}`;
}

function showContainer({ state, restartCount, ready }: ContainerStatus): string {
  const restarts = restartCount > 0 ? `x${restartCount}` : "";
  if (state.running !== undefined) return `running${restarts}${ready ? "+" : ""}`;
  if (state.terminated !== undefined) return `${state.terminated.reason ?? ""}(${state.terminated.exitCode})${restarts}`;
  return `${state.waiting?.reason ?? ""}${restarts}`;
}
