import { shouldRestart, type ContainerSync, type ContainerTransition } from "./container-sync.ts";
import { hexOf } from "./chance.ts";
import { environmentProblem } from "./config-references.ts";
import { goDuration, sample } from "./duration.ts";
import { fullImage, imageId, imageSize } from "./image.ts";
import { formatPod, timeMs, timestamp, type Container, type ContainerStatus, type Terminated } from "./pod.ts";
import { resourcesOf } from "./container-resources.ts";
import { kubeletBackoffMs, pullPhase } from "./pull-phase.ts";
import { nextRunningTransition } from "./running-container.ts";

/** From a container's end to the kubelet acting on it: one round of its event loop. */
const noticeMs = 1000;

/** Advances a container to the time of the sync, one transition at a time, and requests a sync for the next one. */
export function advanceContainer(containerSync: ContainerSync, status: ContainerStatus): ContainerStatus {
  let current = status;
  for (;;) {
    const step = nextStep(containerSync, current);
    if (step === undefined) return current;
    if (step.at > containerSync.podSync.now) {
      containerSync.podSync.requeueAt(step.at);
      return current;
    }
    current = step.take();
  }
}

function nextStep(containerSync: ContainerSync, status: ContainerStatus): ContainerTransition | undefined {
  if (status.state.running !== undefined) return nextRunningTransition(containerSync, status);
  if (status.state.terminated !== undefined) return afterEnd(containerSync, status, status.state.terminated);
  const last = status.lastState.terminated;
  return last === undefined ? beforeStart(containerSync, status) : afterEnd(containerSync, status, last);
}

/** The status of a container that has not been created. Models pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses */
export function initialContainerStatus(container: Container, reason: string): ContainerStatus {
  const mounts = container.volumeMounts?.map(({ name, mountPath, readOnly = false }) => {
    return readOnly ? { name, mountPath, readOnly, recursiveReadOnly: "Disabled" } : { name, mountPath };
  });
  return {
    name: container.name,
    state: { waiting: { reason } },
    lastState: {},
    ready: false,
    restartCount: 0,
    image: container.image,
    imageID: "",
    started: false,
    ...(mounts === undefined || mounts.length === 0 ? {} : { volumeMounts: mounts }),
  };
}

function beforeStart(containerSync: ContainerSync, status: ContainerStatus): ContainerTransition | undefined {
  const { container, rule, podSync, begin, fieldPath } = containerSync;
  const { name, image } = container;
  const startMs = sample(rule.start, podSync.chance(`start ${name}`));
  if (isPresent(containerSync)) return startOrConfigError(containerSync, status, begin + startMs);
  const phase = pullPhase(rule.pull, begin, podSync.now, podSync.chance, name);
  const pullingFrom = phase.state === "pulling" || phase.state === "pulled" ? phase.from : phase.from - phase.tookMs;
  podSync.recordEventOnce(`pulling ${name}`, phase.attempt, () =>
    podSync.recordEvent(pullingFrom, "Normal", "Pulling", `Pulling image "${image}"`, fieldPath),
  );
  if (phase.state === "pulled") {
    const took = goDuration(phase.tookMs);
    const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${imageSize(image)} bytes.`;
    podSync.recordEventOnce(`pulled ${name}`, 0, () => podSync.recordEvent(phase.until, "Normal", "Pulled", message, fieldPath));
    return startOrConfigError(containerSync, status, phase.until + startMs);
  }
  // A successful pull changes no status by itself: the next visible change is the start.
  const isLast = rule.pull.fail === undefined || phase.attempt >= (rule.pull.times ?? Infinity);
  podSync.requeueAt(phase.state === "pulling" && isLast ? phase.until + startMs : phase.until);
  if (phase.state === "pulling") return undefined;
  const error = rule.pull.fail ?? "";
  const waiting =
    phase.state === "failed"
      ? { reason: "ErrImagePull", message: error }
      : { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}": ErrImagePull: ${error}` };
  if (status.state.waiting?.reason === waiting.reason) return undefined;
  return { at: phase.from, take: () => waitFor(containerSync, status, phase.from, waiting) };
}

/**
 * A container whose environment cannot be built waits for the missing ConfigMap or Secret. Models
 * pkg/kubelet/kuberuntime startContainer
 */
function startOrConfigError(containerSync: ContainerSync, status: ContainerStatus, at: number): ContainerTransition | undefined {
  const { container, podSync, fieldPath } = containerSync;
  const problem = podSync.find && environmentProblem(container, podSync.pod.metadata.namespace ?? "", podSync.find);
  const reason = "CreateContainerConfigError";
  const isWaiting = status.state.waiting?.reason === reason;
  if (problem === undefined) {
    const startAt = isWaiting ? podSync.now : at;
    return { at: startAt, take: () => start(containerSync, status, startAt) };
  }
  if (isWaiting && status.state.waiting?.message === problem) return undefined;
  const take = (): ContainerStatus => {
    podSync.recordEvent(at, "Warning", "Failed", `Error: ${problem}`, fieldPath);
    return { ...status, state: { waiting: { reason, message: problem } } };
  };
  return { at, take };
}

function isPresent({ container, rule, podSync }: ContainerSync): boolean {
  if (container.imagePullPolicy === "Never") return true;
  return rule.pull.cachedPerNode === true && container.imagePullPolicy !== "Always" && podSync.hasImage(container.image);
}

/** The status while the pull has failed or is backing off. Models pkg/kubelet/images/image_manager.go */
function waitFor(
  containerSync: ContainerSync,
  status: ContainerStatus,
  at: number,
  waiting: { reason: string; message: string },
): ContainerStatus {
  const { container, rule, podSync, fieldPath } = containerSync;
  if (waiting.reason === "ErrImagePull") {
    podSync.recordEvent(at, "Warning", "Failed", `Failed to pull image "${container.image}": ${rule.pull.fail ?? ""}`, fieldPath);
  } else {
    podSync.recordEvent(at, "Normal", "BackOff", `Back-off pulling image "${container.image}"`, fieldPath);
  }
  podSync.recordEvent(at, "Warning", "Failed", `Error: ${waiting.reason}`, fieldPath);
  return { ...status, state: { waiting } };
}

function start(containerSync: ContainerSync, status: ContainerStatus, at: number): ContainerStatus {
  const { container, podSync, fieldPath } = containerSync;
  const { name, image } = container;
  const restarted = status.state.terminated ?? status.lastState.terminated;
  const restartCount = restarted === undefined ? status.restartCount : status.restartCount + 1;
  if (restarted !== undefined || isPresent(containerSync)) {
    podSync.recordEvent(
      at,
      "Normal",
      "Pulled",
      `Container image "${image}" already present on machine and can be accessed by the pod`,
      fieldPath,
    );
  }
  podSync.recordEvent(at, "Normal", "Created", "Container created", fieldPath);
  podSync.recordEvent(at, "Normal", "Started", "Container started", fieldPath);
  podSync.since[name] = at;
  if (restarted !== undefined) podSync.crashes[name] = crashesOf(containerSync, status) + 1;
  return {
    ...status,
    state: { running: { startedAt: timestamp(at) } },
    lastState: restarted === undefined ? {} : { terminated: restarted },
    ready: false,
    started: false,
    restartCount,
    image: fullImage(image),
    imageID: imageId(image),
    containerID: `containerd://${hexOf(`${podSync.pod.metadata.uid ?? ""} ${name} ${restartCount}`, 64)}`,
    ...resourcesOf(container),
  };
}

function crashesOf({ container, podSync }: ContainerSync, status: ContainerStatus): number {
  return podSync.crashes[container.name] ?? status.restartCount;
}

/**
 * Models pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff: the first restart is immediate, and each later one
 * waits twice as long.
 */
function afterEnd(containerSync: ContainerSync, status: ContainerStatus, ended: Terminated): ContainerTransition | undefined {
  const { container, podSync, fieldPath } = containerSync;
  if (status.state.terminated !== undefined && !shouldRestart(containerSync, ended.exitCode)) return undefined;
  const { name } = container;
  const endedAt = podSync.since[name] ?? timeMs(ended.finishedAt) ?? podSync.now;
  const crashes = crashesOf(containerSync, status);
  const waitMs = crashes === 0 ? noticeMs : kubeletBackoffMs(crashes);
  const restart = { at: endedAt + waitMs, take: () => start(containerSync, status, endedAt + waitMs) };
  if (crashes === 0 || status.state.waiting !== undefined) return restart;
  const take = (): ContainerStatus => {
    const at = endedAt + noticeMs;
    const pod = formatPod(podSync.pod);
    podSync.recordEvent(at, "Warning", "BackOff", `Back-off restarting failed container ${name} in pod ${pod}`, fieldPath);
    const message = `back-off ${goDuration(waitMs)} restarting failed container=${name} pod=${pod}`;
    return { ...status, state: { waiting: { reason: "CrashLoopBackOff", message } }, lastState: { terminated: ended } };
  };
  return { at: endedAt + noticeMs, take };
}
