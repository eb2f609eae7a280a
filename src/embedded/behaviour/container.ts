import { restarts, type Actor, type Step } from "./actor.ts";
import { hexOf } from "./chance.ts";
import { environmentProblem } from "./config.ts";
import { goDuration, sample } from "./duration.ts";
import { fullImage, imageId, imageSize } from "./image.ts";
import { formatPod, momentOf, timestamp, type Container, type ContainerStatus, type Terminated } from "./pod.ts";
import { backoffMs, pullPhase } from "./pull.ts";
import { whileRunning } from "./running.ts";

/** From a container's end to the kubelet acting on it: one round of its event loop. */
const noticeMs = 1000;

/** Carries a container forward to the turn's moment, one change after the other, and asks to be woken for the next. */
export function advance(actor: Actor, status: ContainerStatus): ContainerStatus {
  let current = status;
  for (;;) {
    const step = nextStep(actor, current);
    if (step === undefined) return current;
    if (step.at > actor.turn.now) {
      actor.turn.wake(step.at);
      return current;
    }
    current = step.take();
  }
}

function nextStep(actor: Actor, status: ContainerStatus): Step | undefined {
  if (status.state.running !== undefined) return whileRunning(actor, status);
  if (status.state.terminated !== undefined) return afterEnd(actor, status, status.state.terminated);
  const last = status.lastState.terminated;
  return last === undefined ? beforeStart(actor, status) : afterEnd(actor, status, last);
}

/** A container that was never made: how it waits. Models pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses */
export function freshStatus(container: Container, reason: string): ContainerStatus {
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

function beforeStart(actor: Actor, status: ContainerStatus): Step | undefined {
  const { container, conduct, turn, begin, fieldPath } = actor;
  const { name, image } = container;
  const startMs = sample(conduct.start, turn.chance(`start ${name}`));
  if (isPresent(actor)) return startOrSayWhyNot(actor, status, begin + startMs);
  const phase = pullPhase(conduct.pull, begin, turn.now, turn.chance, name);
  const pullingFrom = phase.state === "pulling" || phase.state === "pulled" ? phase.from : phase.from - phase.tookMs;
  turn.tellOnce(`pulling ${name}`, phase.attempt, () => turn.tell(pullingFrom, "Normal", "Pulling", `Pulling image "${image}"`, fieldPath));
  if (phase.state === "pulled") {
    const took = goDuration(phase.tookMs);
    const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${imageSize(image)} bytes.`;
    turn.tellOnce(`pulled ${name}`, 0, () => turn.tell(phase.until, "Normal", "Pulled", message, fieldPath));
    return startOrSayWhyNot(actor, status, phase.until + startMs);
  }
  // A pull that will succeed changes nothing by itself: the next thing to see is the start.
  const isLast = conduct.pull.fail === undefined || phase.attempt >= (conduct.pull.times ?? Infinity);
  turn.wake(phase.state === "pulling" && isLast ? phase.until + startMs : phase.until);
  if (phase.state === "pulling") return undefined;
  const error = conduct.pull.fail ?? "";
  const waiting =
    phase.state === "failed"
      ? { reason: "ErrImagePull", message: error }
      : { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}": ErrImagePull: ${error}` };
  if (status.state.waiting?.reason === waiting.reason) return undefined;
  return { at: phase.from, take: () => waitFor(actor, status, phase.from, waiting) };
}

/** A container whose environment cannot be made waits for what is missing. Models pkg/kubelet/kuberuntime startContainer */
function startOrSayWhyNot(actor: Actor, status: ContainerStatus, at: number): Step | undefined {
  const { container, turn, fieldPath } = actor;
  const problem = turn.find && environmentProblem(container, turn.pod.metadata.namespace ?? "", turn.find);
  const reason = "CreateContainerConfigError";
  const isWaiting = status.state.waiting?.reason === reason;
  if (problem === undefined) {
    const startAt = isWaiting ? turn.now : at;
    return { at: startAt, take: () => start(actor, status, startAt) };
  }
  if (isWaiting && status.state.waiting?.message === problem) return undefined;
  const take = (): ContainerStatus => {
    turn.tell(at, "Warning", "Failed", `Error: ${problem}`, fieldPath);
    return { ...status, state: { waiting: { reason, message: problem } } };
  };
  return { at, take };
}

function isPresent({ container, conduct, turn }: Actor): boolean {
  if (container.imagePullPolicy === "Never") return true;
  return conduct.pull.cachedPerNode === true && container.imagePullPolicy !== "Always" && turn.hasImage(container.image);
}

/** The pull has failed, or is not tried again yet. Models pkg/kubelet/images/image_manager.go */
function waitFor(actor: Actor, status: ContainerStatus, at: number, waiting: { reason: string; message: string }): ContainerStatus {
  const { container, conduct, turn, fieldPath } = actor;
  if (waiting.reason === "ErrImagePull") {
    turn.tell(at, "Warning", "Failed", `Failed to pull image "${container.image}": ${conduct.pull.fail ?? ""}`, fieldPath);
  } else {
    turn.tell(at, "Normal", "BackOff", `Back-off pulling image "${container.image}"`, fieldPath);
  }
  turn.tell(at, "Warning", "Failed", `Error: ${waiting.reason}`, fieldPath);
  return { ...status, state: { waiting } };
}

function start(actor: Actor, status: ContainerStatus, at: number): ContainerStatus {
  const { container, turn, fieldPath } = actor;
  const { name, image, resources = {} } = container;
  const restarted = status.state.terminated ?? status.lastState.terminated;
  const restartCount = restarted === undefined ? status.restartCount : status.restartCount + 1;
  if (restarted !== undefined || isPresent(actor)) {
    turn.tell(at, "Normal", "Pulled", `Container image "${image}" already present on machine and can be accessed by the pod`, fieldPath);
  }
  turn.tell(at, "Normal", "Created", "Container created", fieldPath);
  turn.tell(at, "Normal", "Started", "Container started", fieldPath);
  turn.since[name] = at;
  if (restarted !== undefined) turn.crashes[name] = crashesOf(actor, status) + 1;
  return {
    ...status,
    state: { running: { startedAt: timestamp(at) } },
    lastState: restarted === undefined ? {} : { terminated: restarted },
    ready: false,
    started: false,
    restartCount,
    image: fullImage(image),
    imageID: imageId(image),
    containerID: `containerd://${hexOf(`${turn.pod.metadata.uid ?? ""} ${name} ${restartCount}`, 64)}`,
    resources,
    ...(resources["requests"] === undefined ? {} : { allocatedResources: resources["requests"] as ContainerStatus["resources"] & object }),
  };
}

function crashesOf({ container, turn }: Actor, status: ContainerStatus): number {
  return turn.crashes[container.name] ?? status.restartCount;
}

/** Models pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff: the first restart comes at once, later ones wait twice as long each. */
function afterEnd(actor: Actor, status: ContainerStatus, ended: Terminated): Step | undefined {
  const { container, turn, fieldPath } = actor;
  if (status.state.terminated !== undefined && !restarts(actor, ended.exitCode)) return undefined;
  const { name } = container;
  const endedAt = turn.since[name] ?? momentOf(ended.finishedAt) ?? turn.now;
  const crashes = crashesOf(actor, status);
  const waitMs = crashes === 0 ? noticeMs : backoffMs(crashes);
  const restart = { at: endedAt + waitMs, take: () => start(actor, status, endedAt + waitMs) };
  if (crashes === 0 || status.state.waiting !== undefined) return restart;
  const take = (): ContainerStatus => {
    const at = endedAt + noticeMs;
    const pod = formatPod(turn.pod);
    turn.tell(at, "Warning", "BackOff", `Back-off restarting failed container ${name} in pod ${pod}`, fieldPath);
    const message = `back-off ${goDuration(waitMs)} restarting failed container=${name} pod=${pod}`;
    return { ...status, state: { waiting: { reason: "CrashLoopBackOff", message } }, lastState: { terminated: ended } };
  };
  return { at: endedAt + noticeMs, take };
}
