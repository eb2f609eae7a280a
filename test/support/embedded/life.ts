import assert from "node:assert/strict";
import { nextStatus, type NextStatusInput } from "../../../src/embedded/behaviour/next-status.ts";
import { parseBehaviour } from "../../../src/embedded/behaviour/parse.ts";
import { podOf, type ContainerStatus, type Pod, type PodStatus } from "../../../src/embedded/behaviour/pod.ts";
import type { Memory, PodEvent } from "../../../src/embedded/behaviour/turn.ts";

/** When every life in the tests begins. */
export const start = Date.UTC(2030, 0, 1);

export function podWith(spec: object, metadata: object = {}): Pod {
  const base = { name: "web", namespace: "default", uid: "u1", generation: 1 };
  const defaults = { nodeName: "node-1", restartPolicy: "Always", containers: [{ name: "c", image: "app:1" }] };
  return podOf({ apiVersion: "v1", kind: "Pod", metadata: { ...base, ...metadata }, spec: { ...defaults, ...spec } });
}

/** Rules with every duration settled, so that moments can be told in whole numbers. */
const steady = { match: {}, pull: "1s", start: 0, init: "1s", terminate: "2s" };

export function rulesOf(...rules: object[]) {
  const { behaviour, problems } = parseBehaviour(rules.map((rule) => ({ ...steady, ...rule })));
  assert.deepEqual(problems, []);
  return behaviour;
}

/** Lives a pod's life as a kubelet does, and tells it: one line for each status that differs from the one before. */
export function live(
  pod: Pod,
  { behaviour = rulesOf({}), until = 60_000, deleteAt = Infinity, forgetful = false, attempt = 0 } = {},
): { lines: string[]; events: PodEvent[]; last: PodStatus; gone: boolean } {
  let current = pod;
  let memory: Memory | undefined;
  let now = start;
  const lines: string[] = [];
  const events: PodEvent[] = [];
  for (;;) {
    if (now >= start + deleteAt && current.metadata.deletionTimestamp === undefined) {
      const deletionTimestamp = new Date(now + 30_000).toISOString().replace(".000", "");
      current = { ...current, metadata: { ...current.metadata, deletionTimestamp, deletionGracePeriodSeconds: 30 } };
    }
    const input: NextStatusInput = {
      pod: current,
      behaviour,
      now,
      seed: 1,
      memory,
      attempt,
      hostIP: "10.0.0.1",
      podIP: () => "10.244.0.5",
    };
    const next = nextStatus(input);
    if (!forgetful) memory = next.memory;
    events.push(...next.events);
    if (next.status !== current.status) lines.push(`${(now - start) / 1000} ${show(next.status)}`);
    current = { ...current, status: next.status };
    if (next.gone) return { lines: [...lines, `${(now - start) / 1000} gone`], events, last: next.status, gone: true };
    const wake = next.againInMs === undefined ? Infinity : now + next.againInMs;
    const at = Math.min(wake, now < start + deleteAt ? start + deleteAt : Infinity);
    if (at > start + until) return { lines, events, last: next.status, gone: false };
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
