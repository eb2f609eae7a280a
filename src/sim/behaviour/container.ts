import { containerConduct, type Conduct, type Role } from "./conduct.ts";
import { hexOf } from "./chance.ts";
import { goDuration, sample } from "./duration.ts";
import { fullImage, imageId, imageSize } from "./image.ts";
import { formatPod, momentOf, timestamp, type Container, type ContainerStatus, type Terminated } from "./pod.ts";
import { momentAfter, probeOutput, probeRun } from "./probe.ts";
import { backoffMs, pullPhase } from "./pull.ts";
import type { Turn } from "./turn.ts";

/** A container that ran this long starts with a clean record. Models the kubelet's back-off: twice its longest wait. */
const cleanRecordMs = 600_000;

/** From a container's end to the kubelet acting on it: one round of its event loop. */
const noticeMs = 1000;

/** The next change of a container: when, and what it makes of the status. */
type Step = { readonly at: number; readonly take: () => ContainerStatus };

/** One container on its way: the spec, its part in the pod, how it behaves, and the turn that it is looked at in. */
export type Actor = {
  readonly container: Container;
  readonly role: Role;
  readonly conduct: Conduct;
  readonly turn: Turn;
  /** When the pod is far enough for this container to be made. */
  readonly begin: number;
  readonly fieldPath: string;
};

export function actorFor(turn: Turn, container: Container, role: Role, begin: number): Actor {
  const list = role === "main" ? "containers" : "initContainers";
  const conduct = containerConduct(turn.pod, container, role, turn.behaviour);
  return { container, role, conduct, turn, begin, fieldPath: `spec.${list}{${container.name}}` };
}

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
  if (isPresent(actor)) return { at: begin + startMs, take: () => start(actor, status, begin + startMs) };
  const phase = pullPhase(conduct.pull, begin, turn.now, turn.chance, name);
  const pullingFrom = phase.state === "pulling" || phase.state === "pulled" ? phase.from : phase.from - phase.tookMs;
  turn.tellOnce(`pulling ${name}`, phase.attempt, () => turn.tell(pullingFrom, "Normal", "Pulling", `Pulling image "${image}"`, fieldPath));
  if (phase.state === "pulled") {
    const took = goDuration(phase.tookMs);
    const message = `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${imageSize(image)} bytes.`;
    turn.tellOnce(`pulled ${name}`, 0, () => turn.tell(phase.until, "Normal", "Pulled", message, fieldPath));
    return { at: phase.until + startMs, take: () => start(actor, status, phase.until + startMs) };
  }
  turn.wake(phase.until);
  if (phase.state === "pulling") return undefined;
  const error = conduct.pull.fail ?? "";
  const waiting =
    phase.state === "failed"
      ? { reason: "ErrImagePull", message: error }
      : { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}": ErrImagePull: ${error}` };
  if (status.state.waiting?.reason === waiting.reason) return undefined;
  return { at: phase.from, take: () => waitFor(actor, status, phase.from, waiting) };
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

/** Whether a container that ended so is run again. Models pkg/api/v1/pod/util.go ContainerShouldRestart */
export function restarts({ container, role, turn }: Pick<Actor, "container" | "role" | "turn">, exitCode: number): boolean {
  if (role === "sidecar") return true;
  if (role === "init" && exitCode === 0) return false;
  if (container.restartPolicy !== undefined) {
    const rule = container.restartPolicyRules?.find(({ exitCodes }) => {
      const listed = exitCodes?.values?.includes(exitCode) ?? false;
      return exitCodes?.operator === "In" ? listed : exitCodes?.operator === "NotIn" && !listed;
    });
    if (rule?.action === "Restart") return true;
  }
  const policy = container.restartPolicy ?? turn.pod.spec.restartPolicy ?? "Always";
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

/** When a container that runs since `from` counts as started, and when it is killed because it never does. */
function startup({ container, conduct, turn }: Actor, from: number) {
  if (container.startupProbe === undefined) return { passesAt: from, firstFailureAt: undefined, givesUpAt: Infinity };
  return probeRun(
    container.startupProbe,
    from,
    momentAfter(conduct.startup, from, () => turn.chance(`startup ${container.name}`)),
  );
}

export function runningSince({ turn, container }: Pick<Actor, "turn" | "container">, status: ContainerStatus): number {
  return turn.since[container.name] ?? momentOf(status.state.running?.startedAt) ?? turn.now;
}

function whileRunning(actor: Actor, status: ContainerStatus): Step | undefined {
  const { container } = actor;
  const from = runningSince(actor, status);
  const begun = startup(actor, from);
  const end = endOf(actor, status, from);
  const steps: Step[] = [];
  if (end !== undefined) steps.push(end);
  if (begun.passesAt < begun.givesUpAt) {
    if (status.started !== true) steps.push({ at: begun.passesAt, take: () => ({ ...status, started: true }) });
    else if (!status.ready) steps.push(...readiness(actor, status, from, begun.passesAt));
  } else {
    steps.push(killedByProbe(actor, status, from, { probe: "Startup", ...begun }));
  }
  if (container.livenessProbe !== undefined) steps.push(...liveness(actor, status, from, begun.passesAt));
  return steps.filter(({ at }) => at !== Infinity).sort((a, b) => a.at - b.at)[0];
}

function readiness(actor: Actor, status: ContainerStatus, from: number, startedAt: number): Step[] {
  const { container, role, conduct, turn, fieldPath } = actor;
  if (role === "init") return [];
  const goodAt = momentAfter(conduct.ready, from, () => turn.chance(`ready ${container.name}`));
  const take = () => ({ ...status, ready: true });
  const probe = container.readinessProbe;
  if (probe === undefined) return [{ at: Math.max(goodAt, startedAt), take }];
  const run = probeRun(probe, startedAt, goodAt);
  const untold = (turn.told[`unready ${container.name}`] ?? -1) < status.restartCount;
  if (run.firstFailureAt !== undefined && untold) {
    const said = conduct.ready !== undefined && "never" in conduct.ready ? conduct.ready.never : "";
    const tell = () => {
      const output = probeOutput(probe, turn.pod.status?.podIP ?? "", said);
      turn.told[`unready ${container.name}`] = status.restartCount;
      turn.tell(run.firstFailureAt!, "Warning", "Unhealthy", `Readiness probe failed: ${output}`, fieldPath);
      return status;
    };
    return [{ at: run.firstFailureAt, take: tell }];
  }
  return [{ at: run.passesAt, take }];
}

function liveness(actor: Actor, status: ContainerStatus, from: number, startedAt: number): Step[] {
  const { container, conduct, turn } = actor;
  const said = conduct.liveness;
  if (said === undefined || turn.attempt + status.restartCount >= (said.times ?? Infinity)) return [];
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = container.livenessProbe!;
  const firstTick = startedAt + initialDelaySeconds * 1000;
  const badAt = from + sample(said.failAfter, turn.chance(`liveness ${container.name}`));
  const periodMs = periodSeconds * 1000;
  const firstFailureAt = firstTick + Math.max(0, Math.ceil((badAt - firstTick) / periodMs)) * periodMs;
  const givesUpAt = firstFailureAt + (failureThreshold - 1) * periodMs;
  return [killedByProbe(actor, status, from, { probe: "Liveness", firstFailureAt, givesUpAt })];
}

/** The kubelet stops a container whose probe has failed too often; the process is killed and counts as failed. */
function killedByProbe(
  actor: Actor,
  status: ContainerStatus,
  from: number,
  failed: { probe: "Startup" | "Liveness"; firstFailureAt: number | undefined; givesUpAt: number },
): Step {
  const { container, turn, fieldPath } = actor;
  const spec = failed.probe === "Startup" ? container.startupProbe : container.livenessProbe;
  const at = failed.givesUpAt;
  const take = () => {
    const output = probeOutput(spec ?? {}, turn.pod.status?.podIP ?? "", "");
    turn.tell(failed.firstFailureAt ?? at, "Warning", "Unhealthy", `${failed.probe} probe failed: ${output}`, fieldPath);
    const message = `Container ${container.name} failed ${failed.probe.toLowerCase()} probe`;
    const again = restarts(actor, 137) ? ", will be restarted" : "";
    turn.tell(at, "Normal", "Killing", message + again, fieldPath);
    return ended(actor, status, { from, at, exitCode: 137, reason: "Error" });
  };
  return { at, take };
}

/** How and when a running container ends by itself, if it does. */
function endOf(actor: Actor, status: ContainerStatus, from: number): Step | undefined {
  const { container, role, conduct, turn } = actor;
  const { name } = container;
  const attempt = turn.attempt + status.restartCount;
  const step = (at: number, exitCode: number, said: { reason?: string; message?: string } = {}): Step => ({
    at,
    take: () =>
      ended(actor, status, { from, at, exitCode, reason: said.reason ?? (exitCode === 0 ? "Completed" : "Error"), ...rest(said) }),
  });
  const { fail, run, result } = conduct;
  if (fail !== undefined && attempt < (fail.times ?? Infinity)) {
    return step(from + sample(fail.at, turn.chance(`fail ${name} ${attempt}`)), fail.exitCode, fail);
  }
  if (role === "init") return step(from + sample(conduct.init, turn.chance(`init ${name}`)), 0);
  const policy = container.restartPolicy ?? turn.pod.spec.restartPolicy ?? "Always";
  if (role === "sidecar" || (policy === "Always" && result === undefined)) return undefined;
  const at = momentAfter(run, from, () => turn.chance(`run ${name} ${attempt}`));
  if (at === Infinity) return undefined;
  const succeeds = result?.succeedAfterAttempts !== undefined && attempt >= result.succeedAfterAttempts;
  return step(at, succeeds ? 0 : (result?.exitCode ?? 0), succeeds || result === undefined ? {} : result);
}

function rest({ message }: { message?: string }): { message?: string } {
  return message === undefined ? {} : { message };
}

/** The container is over: its status, as after the kubelet has seen it. */
export function ended(
  { container, role, turn }: Pick<Actor, "container" | "role" | "turn">,
  status: ContainerStatus,
  { from, at, exitCode, reason, message }: { from: number; at: number; exitCode: number; reason: string; message?: string },
): ContainerStatus {
  const { name } = container;
  if (at - from > cleanRecordMs) turn.crashes[name] = 0;
  turn.since[name] = at;
  const terminated: Terminated = {
    exitCode,
    reason,
    ...(message === undefined ? {} : { message }),
    startedAt: timestamp(from),
    finishedAt: timestamp(at),
    ...(status.containerID === undefined ? {} : { containerID: status.containerID }),
  };
  return { ...status, state: { terminated }, ready: role === "init" && exitCode === 0, started: false };
}

/** The moment a sidecar lets what comes after it begin. */
export function startedAt(actor: Actor, status: ContainerStatus): number {
  return startup(actor, runningSince(actor, status)).passesAt;
}
