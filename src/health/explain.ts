import { condition, conditionsOf, listAt, numberAt, stringAt, type Fields, type KubeObject } from "../object/index.ts";
import { failed, progressing, type Health } from "./health.ts";

/** Reasons why a container waits that time alone does not mend. */
const hopeless = new Set(["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "CreateContainerConfigError", "CreateContainerError", "RunContainerError"]);

/** Restarts of one container after which a crash loop counts as failure. */
const patience = 3;

/** One pod's trouble, and whether it is beyond waiting. */
type Trouble = { readonly because: string; readonly final: boolean };

/**
 * Says of a workload that is not ready what its pods say: the image that cannot be pulled, the probe that fails, the node
 * that cannot be found. A trouble that waiting does not mend makes it failed.
 */
export function explain(health: Health, workload: KubeObject, pods: readonly KubeObject[]): Health {
  if (health.state !== "progressing") return health.state === "failed" ? failed(withTrouble(health.because, pods)) : health;
  const troubles = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined).flatMap((pod) => troubleOf(pod) ?? []);
  const worst = troubles.find(({ final }) => final) ?? troubles[0];
  if (worst === undefined) return health;
  const because = `${health.because}; ${worst.because}`;
  // A Job tries again by itself, as often as its own spec allows, and says when it gives up.
  return worst.final && workload.kind !== "Job" ? failed(because) : progressing(because);
}

function withTrouble(because: string, pods: readonly KubeObject[]): string {
  const trouble = pods.flatMap((pod) => troubleOf(pod) ?? []).at(-1);
  return trouble === undefined ? because : `${because}; ${trouble.because}`;
}

/** What is wrong with one pod, if anything is. */
export function troubleOf(pod: KubeObject): Trouble | undefined {
  const name = `pod ${pod.metadata.name}`;
  const unscheduled = condition(pod, "PodScheduled", "False");
  if (unscheduled?.reason === "Unschedulable") return { because: `${name} cannot be scheduled: ${unscheduled.message ?? ""}`, final: false };
  const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
  for (const status of statuses) {
    const trouble = containerTrouble(status);
    if (trouble !== undefined) return { ...trouble, because: `${name}: ${trouble.because}` };
  }
  if (stringAt(pod, "status.phase") === "Failed") return { because: `${name} failed${reasonOf(pod)}`, final: false };
  const unready = conditionsOf(pod).find(({ type, status, reason }) => type === "Ready" && status === "False" && reason === "ReadinessGatesNotReady");
  return unready === undefined ? undefined : { because: `${name}: ${unready.message ?? "readiness gates"}`, final: false };
}

function reasonOf(pod: KubeObject): string {
  const text = [stringAt(pod, "status.reason"), stringAt(pod, "status.message")].filter((part) => part !== undefined && part !== "").join(": ");
  return text === "" ? "" : `: ${text}`;
}

function containerTrouble(status: Fields): Trouble | undefined {
  const container = `container ${stringAt(status, "name", "")}`;
  const waiting = stringAt(status, "state.waiting.reason", "");
  const message = stringAt(status, "state.waiting.message", "");
  if (hopeless.has(waiting)) return { because: `${container}: ${waiting}: ${message}`, final: true };
  const last = exitText(status, "lastState.terminated");
  const restarts = numberAt(status, "restartCount", 0);
  if (waiting === "CrashLoopBackOff") return { because: `${container} crashes (${last}, ${restarts} restarts)`, final: restarts >= patience };
  const ended = numberAt(status, "state.terminated.exitCode", 0);
  if (ended !== 0) return { because: `${container} ended with ${exitText(status, "state.terminated")}`, final: false };
  const unready = status["ready"] === false && stringAt(status, "state.running.startedAt") !== undefined;
  return unready && status["started"] !== false && restarts === 0 ? { because: `${container} is running but not ready yet`, final: false } : undefined;
}

function exitText(status: Fields, path: string): string {
  const reason = stringAt(status, `${path}.reason`, "");
  const code = `exit code ${numberAt(status, `${path}.exitCode`, 0)}`;
  return reason === "" || reason === "Error" ? code : `${reason}, ${code}`;
}
