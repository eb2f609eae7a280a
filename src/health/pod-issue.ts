import { findCondition, listAt, numberAt, stringAt, valueAt, type Fields, type KubeObject } from "../core/object/index.ts";
import type { NoRoom } from "./health.ts";

/** What is wrong with a pod, and whether waiting cannot help. */
export type PodIssue = {
  readonly because: string;
  readonly final: boolean;
  readonly noRoom?: NoRoom;
};

/** The scheduler's messages while a claim is created or bound. Models pkg/scheduler/framework/plugins/volumebinding PreFilter */
const binding = /unbound immediate PersistentVolumeClaims|persistentvolumeclaim "[^"]*" not found|waiting for ephemeral volume controller/;

/** Waiting reasons of containers that do not go away with time. Models pkg/kubelet images and kuberuntime. */
const permanentReasons = new Set(
  "ErrImagePull ImagePullBackOff ImageInspectError InvalidImageName ErrImageNeverPull CreateContainerConfigError CreateContainerError RunContainerError PreCreateHookError PreStartHookError PostStartHookError".split(
    " ",
  ),
);

/** The number of restarts after which a crash loop counts as failure. */
const crashLoopRestarts = 3;

/** What is wrong with a pod, if anything. */
export function podIssueOf(pod: KubeObject): PodIssue | undefined {
  const issue = unscheduled(pod) ?? containersIssue(pod) ?? gone(pod) ?? gated(pod);
  return issue === undefined ? undefined : { ...issue, because: `pod ${stringAt(pod, "metadata.name", "")}${issue.because}` };
}

/** The last termination of a container that has restarted since. It may look healthy for a while. */
export function lastTerminationOf(pod: KubeObject): string | undefined {
  const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
  const ended = statuses.find((status) => valueAt(status, "lastState.terminated") !== undefined);
  if (ended === undefined) return undefined;
  return `pod ${pod.metadata.name}: container ${stringAt(ended, "name", "")} ended with ${exitText(ended, "lastState.terminated")}`;
}

function unscheduled(pod: KubeObject): PodIssue | undefined {
  const scheduled = findCondition(pod, "PodScheduled", "False");
  if (scheduled?.reason === "Unschedulable") return unschedulable(pod, scheduled.message ?? "no node fits");
  return scheduled?.reason === "SchedulingGated" ? waiting(" is held back by its scheduling gates") : undefined;
}

/** Final, unless its volume is pending or pods of lower priority are being preempted. */
function unschedulable(pod: KubeObject, message: string): PodIssue {
  const because = ` cannot be scheduled: ${message}`;
  const mayPass = binding.test(message) || stringAt(pod, "status.nominatedNodeName", "") !== "";
  return mayPass ? waiting(because) : { because, final: true, noRoom: "unscheduled" };
}

function containersIssue(pod: KubeObject): PodIssue | undefined {
  const init = listAt(pod, "status.initContainerStatuses").map((status) => containerIssue(status, "init container", pod));
  const main = listAt(pod, "status.containerStatuses").map((status) => containerIssue(status, "container", pod));
  const issues = [...init, ...main].filter((issue) => issue !== undefined);
  return issues.find(({ final }) => final) ?? issues[0];
}

function gone(pod: KubeObject): PodIssue | undefined {
  if (stringAt(pod, "status.phase") !== "Failed") return undefined;
  const texts = [stringAt(pod, "status.reason", ""), stringAt(pod, "status.message", "")].filter((text) => text !== "");
  return waiting([" failed", ...texts].join(": "));
}

function gated(pod: KubeObject): PodIssue | undefined {
  const unready = findCondition(pod, "Ready", "False");
  return unready?.reason === "ReadinessGatesNotReady" ? waiting(`: ${unready.message ?? "its readiness gates are not met"}`) : undefined;
}

function containerIssue(status: Fields, role: string, pod: KubeObject): PodIssue | undefined {
  const container = `: ${role} ${stringAt(status, "name", "")}`;
  const reason = stringAt(status, "state.waiting.reason", "");
  if (permanentReasons.has(reason))
    return { because: `${container}: ${reason}${after(": ", stringAt(status, "state.waiting.message", ""))}`, final: true };
  if (reason === "CrashLoopBackOff") return crashLoop(status, container, pod);
  if (numberAt(status, "state.terminated.exitCode", 0) !== 0)
    return waiting(`${container} ended with ${exitText(status, "state.terminated")}`);
  return unready(status, container, pod);
}

/** A pod that runs to completion is retried as its restart policy says. Only a long-running one counts as failed. */
function crashLoop(status: Fields, container: string, pod: KubeObject): PodIssue {
  const restarts = numberAt(status, "restartCount", 0);
  const stays = stringAt(pod, "spec.restartPolicy", "Always") === "Always";
  const because = `${container} crashes (${exitText(status, "lastState.terminated")}, ${restarts} ${restarts === 1 ? "restart" : "restarts"})`;
  return { because, final: stays && restarts >= crashLoopRestarts };
}

function unready(status: Fields, container: string, pod: KubeObject): PodIssue | undefined {
  if (valueAt(status, "state.running") === undefined || status["ready"] !== false) return undefined;
  const probe = status["started"] === false ? "startupProbe" : "readinessProbe";
  const check = probeText(status, probe, pod);
  const restarts = numberAt(status, "restartCount", 0);
  const again =
    restarts === 0 ? "" : ` after ${restarts} ${restarts === 1 ? "restart" : "restarts"} (${exitText(status, "lastState.terminated")})`;
  return waiting(`${container} is running but not ready${again}${after(": waits for its ", check)}`);
}

/** `readiness probe (GET :8080/healthz)`. Empty when the container has no such probe. */
function probeText(status: Fields, name: "startupProbe" | "readinessProbe", pod: KubeObject): string {
  const specs = [...listAt(pod, "spec.initContainers"), ...listAt(pod, "spec.containers")];
  const probe = valueAt(
    specs.find((spec) => spec["name"] === status["name"]),
    name,
  );
  if (probe === undefined) return "";
  const [http, tcp, grpc] = ["httpGet", "tcpSocket", "grpc"].map((kind) => portOf(probe, kind));
  const how = http ? `GET :${http}${stringAt(probe, "httpGet.path", "/")}` : tcp ? `TCP :${tcp}` : grpc ? `gRPC :${grpc}` : "a command";
  return `${name === "startupProbe" ? "startup" : "readiness"} probe (${how})`;
}

function portOf(probe: unknown, kind: string): string | undefined {
  const port = valueAt(probe, `${kind}.port`);
  return typeof port === "number" || typeof port === "string" ? String(port) : undefined;
}

function exitText(status: Fields, path: string): string {
  const reason = stringAt(status, `${path}.reason`, "");
  const code = `exit code ${numberAt(status, `${path}.exitCode`, 0)}`;
  return reason === "" || reason === "Error" ? code : `${reason}, ${code}`;
}

function waiting(because: string): PodIssue {
  return { because, final: false };
}

function after(lead: string, text: string): string {
  return text === "" ? "" : `${lead}${text}`;
}
