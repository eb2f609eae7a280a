import type { Behaviour } from "./behaviour.ts";
import { chanceFor } from "./chance.ts";
import { overridesOf, type ContainerRole } from "./effective-rule.ts";
import { mountProblem, type FindConfig } from "./config-references.ts";
import { podConditionsFor } from "./pod-conditions.ts";
import { containerSyncFor, shouldRestart } from "./container-sync.ts";
import { advanceContainer, initialContainerStatus } from "./advance-container.ts";
import { podPhaseFor } from "./pod-phase.ts";
import { startedAt } from "./running-container.ts";
import { isSidecar, timeMs, timestamp, type Container, type ContainerStatus, type Pod, type PodStatus } from "./pod.ts";
import { equal } from "../../core/object/index.ts";
import { terminateContainers, podTerminationOf, type PodTermination } from "./pod-termination.ts";
import { PodSync, type PodRuntimeState, type PodEvent } from "./pod-sync.ts";

export type NextPodStatusInput = {
  /** As it is in the cluster, bound to a node. */
  readonly pod: Pod;
  readonly behaviour: Behaviour;
  readonly now: number;
  /** Durations are sampled from this and the pod's namespace and name alone. */
  readonly seed: number;
  /** The runtime state that the previous call returned for this pod; without it times are exact to the second only. */
  readonly runtimeState?: PodRuntimeState | undefined;
  /** How many Pods of the same Job failed before this one: see `attemptOf`. Default: 0. */
  readonly attempt?: number;
  readonly hostIP: string;
  /** Allocates the pod's address; called once, when the pod needs one. */
  readonly podIP: () => string;
  /** Whether the pod's node has an image already. Default: it has none. */
  readonly hasImage?: (image: string) => boolean;
  /** Why the node can never give the pod what its containers ask for. Default: it can. */
  readonly infeasible?: () => string | undefined;
  /** Finds a ConfigMap or Secret that the pod refers to. Default: every reference counts as present. */
  readonly find?: FindConfig;
};

export type NextPodStatus = {
  /** The same status object when nothing changed. */
  readonly status: PodStatus;
  readonly events: readonly PodEvent[];
  readonly runtimeState: PodRuntimeState;
  /** When to sync again; absent: not before the pod changes. */
  readonly againInMs?: number;
  /** The containers of a deleted pod have terminated: after this status the pod is deleted with a grace period of 0. */
  readonly gone: boolean;
};

/** Computes the status that a kubelet would have written for a pod by now, and when to sync again. */
export function nextPodStatus(input: NextPodStatusInput): NextPodStatus {
  const { pod, behaviour, now, seed, runtimeState, attempt = 0, hasImage = () => false, find, infeasible = () => undefined } = input;
  const chance = chanceFor(seed, pod.metadata.namespace ?? "", pod.metadata.name);
  const podSync = new PodSync({ pod, behaviour, chance, now, attempt, hasImage, find, infeasible }, runtimeState);
  const startMs = runtimeState?.startedAt ?? timeMs(pod.status?.startTime) ?? now;
  if (pod.status?.startTime === undefined) recordInvalidOverrides(podSync);
  const isOver = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  const stopping = isOver ? undefined : podTerminationOf(podSync, startMs, runtimeState);
  const frozen = isOver || (stopping !== undefined && stopping.from <= now);
  const mountedAt = frozen ? runtimeState?.mountedAt : mount(podSync, startMs, runtimeState);
  const carried = frozen || mountedAt === undefined ? statusesOf(pod) : advanceContainers(podSync, mountedAt);
  const { init, main } = stopping === undefined || now < stopping.from ? carried : terminateContainers(podSync, carried, stopping);
  const stopped = isOver || (stopping !== undefined && now >= stopping.until);
  const next = isOver
    ? (pod.status ?? {})
    : statusFrom(input, podSync, { init, main, begun: startMs, ...(stopped ? { over: stopping?.cause } : {}) });
  const status = pod.status !== undefined && equal(next, pod.status) ? pod.status : next;
  const isDeleting = pod.metadata.deletionTimestamp !== undefined;
  return {
    status,
    events: podSync.events,
    runtimeState: {
      startedAt: startMs,
      since: podSync.since,
      crashes: podSync.crashes,
      recorded: podSync.recorded,
      ...(mountedAt === undefined ? {} : { mountedAt }),
      ...(stopping === undefined || now < stopping.from ? {} : { stoppingAt: stopping.from }),
    },
    ...(podSync.nextSyncAt === Infinity ? {} : { againInMs: Math.max(1, podSync.nextSyncAt - now) }),
    gone: isDeleting && stopped && pod.metadata.deletionGracePeriodSeconds !== 0,
  };
}

/** How many Pods failed before this one with the same owner (and completion index): the number of attempts of a Job. */
export function attemptOf(pod: Pod, ofSameOwner: readonly Pod[]): number {
  const index = "batch.kubernetes.io/job-completion-index";
  const isEarlierFailure = ({ metadata, status }: Pod) =>
    status?.phase === "Failed" && metadata.uid !== pod.metadata.uid && metadata.annotations?.[index] === pod.metadata.annotations?.[index];
  return ofSameOwner.filter(isEarlierFailure).length;
}

function recordInvalidOverrides(podSync: PodSync): void {
  for (const { at, message } of overridesOf(podSync.pod).problems) {
    podSync.recordEvent(podSync.now, "Warning", "InvalidBehaviour", `${at}: ${message}`);
  }
}

/** When the pod's containers may begin: once its volumes can be mounted. Undefined while they cannot. */
function mount(podSync: PodSync, startMs: number, runtimeState: PodRuntimeState | undefined): number | undefined {
  if (runtimeState?.mountedAt !== undefined || podSync.find === undefined) return runtimeState?.mountedAt ?? startMs;
  if (podSync.pod.status?.containerStatuses?.some(({ containerID }) => containerID !== undefined)) return startMs;
  const problem = mountProblem(podSync.pod, podSync.find);
  if (problem === undefined) return podSync.recorded["mount"] === undefined ? startMs : podSync.now;
  podSync.recordEventOnce("mount", 0, () => podSync.recordEvent(podSync.now, "Warning", "FailedMount", problem));
  return undefined;
}

type Statuses = { readonly init: readonly ContainerStatus[]; readonly main: readonly ContainerStatus[] };

function statusesOf(pod: Pod): Statuses {
  const { initContainers = [], containers } = pod.spec;
  const waitFor = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  const found = (statuses: readonly ContainerStatus[] | undefined, container: Container) =>
    statuses?.find(({ name }) => name === container.name) ?? initialContainerStatus(container, waitFor);
  return {
    init: initContainers.map((container) => found(pod.status?.initContainerStatuses, container)),
    main: containers.map((container) => found(pod.status?.containerStatuses, container)),
  };
}

/** Advances every container to the time of the sync: init containers sequentially, then the others together. */
function advanceContainers(podSync: PodSync, startMs: number): Statuses {
  const before = statusesOf(podSync.pod);
  const { initContainers = [], containers } = podSync.pod.spec;
  const init = [...before.init];
  let begin: number | undefined = startMs;
  for (const [index, container] of initContainers.entries()) {
    const mayBegin: boolean = begin !== undefined || init[index]!.state.waiting === undefined;
    if (!mayBegin) continue;
    const containerSync = containerSyncFor(podSync, container, isSidecar(container) ? "sidecar" : "init", begin ?? startMs);
    const status = advanceContainer(containerSync, init[index]!);
    init[index] = status;
    if (isSidecar(container)) begin = status.started === true ? startedAt(containerSync, status) : undefined;
    else if (status.state.terminated?.exitCode === 0) begin = podSync.since[container.name] ?? timeMs(status.state.terminated.finishedAt);
    else begin = undefined;
  }
  const hasRun = before.main.some(({ state, lastState }) => state.running ?? state.terminated ?? lastState.terminated);
  if (begin === undefined && !hasRun) return { init, main: before.main };
  const main = containers.map((container, index) =>
    advanceContainer(containerSyncFor(podSync, container, "main", begin ?? startMs), before.main[index]!),
  );
  return { init: stopSidecars(podSync, init, main), main };
}

/** Stops the sidecars once all main containers have completed. */
function stopSidecars(podSync: PodSync, init: readonly ContainerStatus[], main: readonly ContainerStatus[]): readonly ContainerStatus[] {
  const ends = main.map(({ state }, index) => {
    const container = podSync.pod.spec.containers[index]!;
    const end = state.terminated;
    if (end === undefined || shouldRestart({ container, role: "main", podSync }, end.exitCode)) return undefined;
    return podSync.since[container.name] ?? timeMs(end.finishedAt) ?? podSync.now;
  });
  if (ends.some((at) => at === undefined) || init.every(({ state }) => state.running === undefined)) return init;
  const from = Math.max(...ends.map((at) => at ?? 0));
  const stopping: PodTermination = { from, until: from, cause: "completed" };
  return terminateContainers(podSync, { init, main: [] }, stopping).init;
}

/** Models pkg/kubelet/kubelet_pods.go generateAPIPodStatus */
function statusFrom(
  { pod, now, hostIP, podIP }: NextPodStatusInput,
  podSync: PodSync,
  { init, main, begun: startMs, over }: Statuses & { begun: number; over?: PodTermination["cause"] | undefined },
): PodStatus {
  const restartsAgain = (container: Container, exitCode: number) => {
    const role: ContainerRole = isSidecar(container)
      ? "sidecar"
      : (pod.spec.initContainers?.includes(container) ?? false)
        ? "init"
        : "main";
    return shouldRestart({ container, role, podSync }, exitCode);
  };
  const worked = podPhaseFor(pod, init, main, { over: over !== undefined, restarts: restartsAgain });
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
    conditions: podConditionsFor(pod, { phase, sandbox: isMade && !isOver, init, main, pendingResize: podSync.pendingResize }, now),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(ip === undefined ? {} : { podIP: ip, podIPs: [{ ip }] }),
    startTime: pod.status?.startTime ?? timestamp(startMs),
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
