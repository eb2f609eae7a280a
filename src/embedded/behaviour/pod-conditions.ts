import { isSidecar, timestamp, type ContainerStatus, type Pod, type PodCondition } from "./pod.ts";

type ConditionValue = { readonly status: "True" | "False"; readonly reason?: string; readonly message?: string };

const owned = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"] as const;

/** The container statuses and the phase that the conditions are derived from. */
type ObservedContainers = {
  readonly phase: string;
  readonly sandbox: boolean;
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
  /** Why a container does not get the resources that it asks for. */
  readonly pendingResize?: string | undefined;
};

/**
 * The conditions of a pod's status: those of other writers unchanged, then the kubelet's own. Models
 * pkg/kubelet/kubelet_pods.go generateAPIPodStatus
 */
export function podConditionsFor(pod: Pod, observed: ObservedContainers, now: number): readonly PodCondition[] {
  const before = pod.status?.conditions ?? [];
  const time = timestamp(now);
  const others = before.filter(({ type }) => type !== resizePending && !owned.some((own) => own === type));
  const containersReady = containersReadyCondition(pod, observed);
  const values: Readonly<Record<(typeof owned)[number], ConditionValue>> = {
    PodReadyToStartContainers: { status: observed.sandbox ? "True" : "False" },
    Initialized: initializedCondition(pod, observed),
    Ready: containersReady.status === "True" ? readinessGatesCondition(pod, others) : containersReady,
    ContainersReady: containersReady,
    PodScheduled: { status: "True" },
  };
  const resize = observed.pendingResize === undefined ? [] : [pendingResizeCondition(pod, observed.pendingResize, time)];
  return [...others, ...resize, ...owned.map((type) => conditionOf(pod, type, values[type], time))];
}

const resizePending = "PodResizePending";

/** Models pkg/kubelet/status/status_manager.go updatedPodResizeCondition */
function pendingResizeCondition(pod: Pod, message: string, time: string): PodCondition {
  const before = pod.status?.conditions?.find(({ type }) => type === resizePending);
  const value = { status: "True", reason: "Infeasible", message } as const;
  const { lastProbeTime: _none, ...condition } = conditionOf(pod, resizePending, value, time);
  const isSame = before?.observedGeneration === pod.metadata.generation && before?.message === message;
  return { ...condition, lastProbeTime: isSame ? before.lastProbeTime : time };
}

function conditionOf(pod: Pod, type: string, value: ConditionValue, time: string): PodCondition {
  const before = pod.status?.conditions?.find((item) => item.type === type);
  const { generation } = pod.metadata;
  return {
    type,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status: value.status,
    lastProbeTime: null,
    lastTransitionTime: before?.status === value.status ? before.lastTransitionTime : time,
    ...(value.reason === undefined ? {} : { reason: value.reason }),
    ...(value.message === undefined ? {} : { message: value.message }),
  };
}

// Models pkg/kubelet/status/generate.go

function containersReadyCondition(pod: Pod, { phase, init, main }: ObservedContainers): ConditionValue {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
  const statuses = [...init.filter(({ name }) => sidecars.includes(name)), ...main];
  const inOrder = [...sidecars, ...pod.spec.containers.map(({ name }) => name)];
  const unready = inOrder.filter((name) => statuses.find((status) => status.name === name)?.ready !== true);
  if (unready.length === 0) return { status: "True" };
  return { status: "False", reason: "ContainersNotReady", message: `containers with unready status: [${unready.join(" ")}]` };
}

function readinessGatesCondition(pod: Pod, conditions: readonly PodCondition[]): ConditionValue {
  const messages = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = conditions.find(({ type }) => type === conditionType);
    if (found === undefined) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return found.status === "True" ? [] : [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  return messages.length === 0 ? { status: "True" } : { status: "False", reason: "ReadinessGatesNotReady", message: messages.join(", ") };
}

function initializedCondition(pod: Pod, { phase, init, main }: ObservedContainers): ConditionValue {
  if (phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  if (main.some(({ state, lastState }) => state.running ?? state.terminated ?? lastState.terminated)) return { status: "True" };
  const incomplete = (pod.spec.initContainers ?? []).filter((container) => {
    const status = init.find(({ name }) => name === container.name);
    return isSidecar(container) ? status?.started !== true : status?.ready !== true;
  });
  if (incomplete.length === 0) return { status: "True" };
  const names = incomplete.map(({ name }) => name).join(" ");
  return { status: "False", reason: "ContainersNotInitialized", message: `containers with incomplete status: [${names}]` };
}
