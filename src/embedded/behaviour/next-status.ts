import type { Behaviour } from "./behaviour.ts";
import { chanceFor } from "./chance.ts";
import { overridesOf, type Role } from "./conduct.ts";
import { mountProblem, type FindConfig } from "./config.ts";
import { conditionsFor } from "./condition.ts";
import { actorFor, restarts } from "./actor.ts";
import { advance, freshStatus } from "./container.ts";
import { phaseOf } from "./phase.ts";
import { startedAt } from "./running.ts";
import { isSidecar, momentOf, timestamp, type Container, type ContainerStatus, type Pod, type PodStatus } from "./pod.ts";
import { equal } from "../../core/object/index.ts";
import { stop, stopMoment, type Stop } from "./stop.ts";
import { Turn, type Memory, type PodEvent } from "./turn.ts";

export type NextStatusInput = {
  /** As it is in the cluster, bound to a node. */
  readonly pod: Pod;
  readonly behaviour: Behaviour;
  readonly now: number;
  /** Durations are drawn from this and the pod's namespace and name alone. */
  readonly seed: number;
  /** What the last answer for this pod handed out; without it moments are known to the second only. */
  readonly memory?: Memory | undefined;
  /** How many pods failed at the same work before this one: see `attemptOf`. Default: 0. */
  readonly attempt?: number;
  readonly hostIP: string;
  /** Gives the pod its address; called once, when it needs one. */
  readonly podIP: () => string;
  /** Whether the pod's node has an image already. Default: it has none. */
  readonly hasImage?: (image: string) => boolean;
  /** Finds what the pod refers to. Default: everything counts as there. */
  readonly find?: FindConfig;
};

export type NextStatus = {
  /** The very status the pod has when nothing changed. */
  readonly status: PodStatus;
  readonly events: readonly PodEvent[];
  readonly memory: Memory;
  /** When something changes by itself; absent: not before the pod itself is changed. */
  readonly againInMs?: number;
  /** The containers of a deleted pod have ended: after this status the pod is to be deleted with a grace period of 0. */
  readonly gone: boolean;
};

/** Tells the status that a kubelet would have written for a pod by now, and when to ask again. */
export function nextStatus(input: NextStatusInput): NextStatus {
  const { pod, behaviour, now, seed, memory, attempt = 0, hasImage = () => false, find } = input;
  const chance = chanceFor(seed, pod.metadata.namespace ?? "", pod.metadata.name);
  const turn = new Turn({ pod, behaviour, chance, now, attempt, hasImage, find }, memory);
  const begun = memory?.startedAt ?? momentOf(pod.status?.startTime) ?? now;
  if (pod.status?.startTime === undefined) complainOfOverrides(turn);
  const isOver = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  const stopping = isOver ? undefined : stopMoment(turn, begun, memory);
  const frozen = isOver || (stopping !== undefined && stopping.from <= now);
  const mountedAt = frozen ? memory?.mountedAt : mount(turn, begun, memory);
  const carried = frozen || mountedAt === undefined ? statusesOf(pod) : carry(turn, mountedAt);
  const { init, main } = stopping === undefined || now < stopping.from ? carried : stop(turn, carried, stopping);
  const stopped = isOver || (stopping !== undefined && now >= stopping.until);
  const next = isOver ? (pod.status ?? {}) : statusFrom(input, turn, { init, main, begun, ...(stopped ? { over: stopping?.cause } : {}) });
  const status = pod.status !== undefined && equal(next, pod.status) ? pod.status : next;
  const isDeleting = pod.metadata.deletionTimestamp !== undefined;
  return {
    status,
    events: turn.events,
    memory: {
      startedAt: begun,
      since: turn.since,
      crashes: turn.crashes,
      told: turn.told,
      ...(mountedAt === undefined ? {} : { mountedAt }),
      ...(stopping === undefined || now < stopping.from ? {} : { stoppingAt: stopping.from }),
    },
    ...(turn.wakeAt === Infinity ? {} : { againInMs: Math.max(1, turn.wakeAt - now) }),
    gone: isDeleting && stopped && pod.metadata.deletionGracePeriodSeconds !== 0,
  };
}

/**
 * How many pods have failed at the same work before this one: those of the same owner (and completion index), which is
 * how often a Job has tried.
 */
export function attemptOf(pod: Pod, ofSameOwner: readonly Pod[]): number {
  const index = "batch.kubernetes.io/job-completion-index";
  const isEarlierFailure = ({ metadata, status }: Pod) =>
    status?.phase === "Failed" && metadata.uid !== pod.metadata.uid && metadata.annotations?.[index] === pod.metadata.annotations?.[index];
  return ofSameOwner.filter(isEarlierFailure).length;
}

function complainOfOverrides(turn: Turn): void {
  for (const { at, message } of overridesOf(turn.pod).problems) {
    turn.tell(turn.now, "Warning", "InvalidBehaviour", `${at}: ${message}`);
  }
}

/** When the pod's containers may begin: once its volumes can be mounted. Undefined while they cannot. */
function mount(turn: Turn, begun: number, memory: Memory | undefined): number | undefined {
  if (memory?.mountedAt !== undefined || turn.find === undefined) return memory?.mountedAt ?? begun;
  if (turn.pod.status?.containerStatuses?.some(({ containerID }) => containerID !== undefined)) return begun;
  const problem = mountProblem(turn.pod, turn.find);
  if (problem === undefined) return turn.told["mount"] === undefined ? begun : turn.now;
  turn.tellOnce("mount", 0, () => turn.tell(turn.now, "Warning", "FailedMount", problem));
  return undefined;
}

type Statuses = { readonly init: readonly ContainerStatus[]; readonly main: readonly ContainerStatus[] };

function statusesOf(pod: Pod): Statuses {
  const { initContainers = [], containers } = pod.spec;
  const waitFor = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  const found = (statuses: readonly ContainerStatus[] | undefined, container: Container) =>
    statuses?.find(({ name }) => name === container.name) ?? freshStatus(container, waitFor);
  return {
    init: initContainers.map((container) => found(pod.status?.initContainerStatuses, container)),
    main: containers.map((container) => found(pod.status?.containerStatuses, container)),
  };
}

/** Carries every container to the turn's moment: init containers one after the other, then the rest together. */
function carry(turn: Turn, begun: number): Statuses {
  const before = statusesOf(turn.pod);
  const { initContainers = [], containers } = turn.pod.spec;
  const init = [...before.init];
  let begin: number | undefined = begun;
  for (const [index, container] of initContainers.entries()) {
    const mayBegin: boolean = begin !== undefined || init[index]!.state.waiting === undefined;
    if (!mayBegin) continue;
    const actor = actorFor(turn, container, isSidecar(container) ? "sidecar" : "init", begin ?? begun);
    const status = advance(actor, init[index]!);
    init[index] = status;
    if (isSidecar(container)) begin = status.started === true ? startedAt(actor, status) : undefined;
    else if (status.state.terminated?.exitCode === 0) begin = turn.since[container.name] ?? momentOf(status.state.terminated.finishedAt);
    else begin = undefined;
  }
  const hasRun = before.main.some(({ state, lastState }) => state.running ?? state.terminated ?? lastState.terminated);
  if (begin === undefined && !hasRun) return { init, main: before.main };
  const main = containers.map((container, index) => advance(actorFor(turn, container, "main", begin ?? begun), before.main[index]!));
  return { init: stopSidecars(turn, init, main), main };
}

/** When the pod's own work is over, its sidecars are stopped. */
function stopSidecars(turn: Turn, init: readonly ContainerStatus[], main: readonly ContainerStatus[]): readonly ContainerStatus[] {
  const ends = main.map(({ state }, index) => {
    const container = turn.pod.spec.containers[index]!;
    const end = state.terminated;
    if (end === undefined || restarts({ container, role: "main", turn }, end.exitCode)) return undefined;
    return turn.since[container.name] ?? momentOf(end.finishedAt) ?? turn.now;
  });
  if (ends.some((at) => at === undefined) || init.every(({ state }) => state.running === undefined)) return init;
  const from = Math.max(...ends.map((at) => at ?? 0));
  const stopping: Stop = { from, until: from, cause: "completed" };
  return stop(turn, { init, main: [] }, stopping).init;
}

/** Models pkg/kubelet/kubelet_pods.go generateAPIPodStatus */
function statusFrom(
  { pod, now, hostIP, podIP }: NextStatusInput,
  turn: Turn,
  { init, main, begun, over }: Statuses & { begun: number; over?: Stop["cause"] | undefined },
): PodStatus {
  const restartsAgain = (container: Container, exitCode: number) => {
    const role: Role = isSidecar(container) ? "sidecar" : (pod.spec.initContainers?.includes(container) ?? false) ? "init" : "main";
    return restarts({ container, role, turn }, exitCode);
  };
  const worked = phaseOf(pod, init, main, { over: over !== undefined, restarts: restartsAgain });
  const phase = over === undefined ? worked : over === "deadline" || worked !== "Succeeded" ? "Failed" : worked;
  const isOver = phase === "Succeeded" || phase === "Failed";
  const isMade = [...init, ...main].some(({ state, lastState }) => {
    const fresh = state.waiting?.reason === "ContainerCreating" || state.waiting?.reason === "PodInitializing";
    return !fresh || lastState.terminated !== undefined;
  });
  const ip = pod.spec.hostNetwork === true ? hostIP : (pod.status?.podIP ?? (isMade ? podIP() : undefined));
  const { generation } = pod.metadata;
  const { phase: phaseBefore, reason: _reason, message: _message, ...kept } = pod.status ?? {};
  return {
    ...kept,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    ...(phaseBefore === phase ? reasonOf(pod.status) : over === "deadline" ? deadlineExceeded : {}),
    conditions: conditionsFor(pod, { phase, sandbox: isMade && !isOver, init, main }, now),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(ip === undefined ? {} : { podIP: ip, podIPs: [{ ip }] }),
    startTime: pod.status?.startTime ?? timestamp(begun),
    ...(init.length === 0 ? {} : { initContainerStatuses: init }),
    containerStatuses: sortedByName(main),
  };
}

/** Models pkg/kubelet/types SortedContainerStatuses */
function sortedByName(statuses: readonly ContainerStatus[]): readonly ContainerStatus[] {
  return statuses.length < 2 ? statuses : [...statuses].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function reasonOf(status: PodStatus | undefined): { reason?: string; message?: string } {
  return {
    ...(status?.reason === undefined ? {} : { reason: status.reason }),
    ...(status?.message === undefined ? {} : { message: status.message }),
  };
}

/** Models pkg/kubelet/active_deadline.go */
const deadlineExceeded = { reason: "DeadlineExceeded", message: "Pod was active on the node longer than the specified deadline" };
