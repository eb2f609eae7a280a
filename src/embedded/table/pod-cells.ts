import {
  booleanAt,
  findCondition,
  isDeleting,
  isFields,
  listAt,
  numberAt,
  stringAt,
  valueAt,
  type Fields,
  type KubeObject,
} from "../../core/object/index.ts";
import { since, none, type Cell } from "./cell.ts";

/** What the containers of a pod come to. */
type Summary = { readonly reason: string; readonly ready: number; readonly restarts: number; readonly restartedAt: string };

/** Models pkg/printers/internalversion/printers.go printPod */
export function podCells(pod: KubeObject, now: number): readonly Cell[] {
  const { reason, ready, restarts, restartedAt } = summaryOf(pod);
  const containers = listAt(pod, "spec.containers").length + listAt(pod, "spec.initContainers").filter(isSidecar).length;
  return [
    pod.metadata.name,
    `${ready}/${containers}`,
    statusOf(pod, reason),
    restarts !== 0 && restartedAt !== "" ? `${restarts} (${since(restartedAt, now)} ago)` : String(restarts),
    since(pod.metadata.creationTimestamp, now),
    stringAt(listAt(pod, "status.podIPs")[0], "ip", "") || none,
    stringAt(pod, "spec.nodeName", "") || none,
    stringAt(pod, "status.nominatedNodeName", "") || none,
    gatesText(pod),
  ];
}

function gatesText(pod: KubeObject): string {
  const gates = listAt(pod, "spec.readinessGates");
  if (gates.length === 0) return none;
  const open = gates.filter((gate) => findCondition(pod, stringAt(gate, "conditionType", ""), "True") !== undefined);
  return `${open.length}/${gates.length}`;
}

/** The reason of an unreachable node's pods. */
const nodeLost = "NodeLost";

function statusOf(pod: KubeObject, reason: string): string {
  if (!isDeleting(pod)) return reason;
  if (stringAt(pod, "status.reason") === nodeLost) return "Unknown";
  return ["Succeeded", "Failed"].includes(stringAt(pod, "status.phase", "")) ? reason : "Terminating";
}

function summaryOf(pod: KubeObject): Summary {
  const gated = findCondition(pod, "PodScheduled")?.reason === "SchedulingGated";
  const plain = stringAt(pod, "status.reason", "") || stringAt(pod, "status.phase", "");
  const initial = initSummary(pod, gated ? "SchedulingGated" : plain);
  const isInitialized = findCondition(pod, "Initialized", "True") !== undefined;
  return initial.initializing && !isInitialized ? initial : mainSummary(pod, initial);
}

type InitSummary = Summary & {
  readonly initializing: boolean;
  /** The restarts of sidecars alone, which go on while the pod runs. */
  readonly sidecars: { readonly restarts: number; readonly restartedAt: string };
};

function initSummary(pod: KubeObject, plain: string): InitSummary {
  const specs = listAt(pod, "spec.initContainers");
  const sidecarNames = new Set(specs.filter(isSidecar).map((spec) => stringAt(spec, "name")));
  const all = { restarts: 0, restartedAt: "" };
  const sidecars = { restarts: 0, restartedAt: "" };
  let ready = 0;
  for (const [index, status] of listAt(pod, "status.initContainerStatuses").entries()) {
    const isOfSidecar = sidecarNames.has(stringAt(status, "name"));
    addRestarts(all, status);
    if (isOfSidecar) addRestarts(sidecars, status);
    const terminated = valueAt(status, "state.terminated");
    if (isFields(terminated) && numberAt(terminated, "exitCode", 0) === 0) continue;
    if (isOfSidecar && booleanAt(status, "started")) {
      if (booleanAt(status, "ready")) ready++;
      continue;
    }
    return { ...all, sidecars, ready, initializing: true, reason: initReason(status, index, specs.length) };
  }
  return { ...all, sidecars, ready, initializing: false, reason: plain };
}

function initReason(status: Fields, index: number, containers: number): string {
  const terminated = valueAt(status, "state.terminated");
  if (isFields(terminated)) return `Init:${endOf(terminated)}`;
  const waiting = stringAt(status, "state.waiting.reason", "");
  return waiting !== "" && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${index}/${containers}`;
}

function mainSummary(pod: KubeObject, initial: InitSummary): Summary {
  const total = { ...initial.sidecars };
  let { reason, ready } = initial;
  let [isRunning, failure] = [false, ""];
  for (const status of listAt(pod, "status.containerStatuses").toReversed()) {
    addRestarts(total, status);
    const waiting = stringAt(status, "state.waiting.reason", "");
    const terminated = valueAt(status, "state.terminated");
    if (waiting !== "") reason = waiting;
    else if (isFields(terminated)) {
      reason = endOf(terminated);
      if (numberAt(terminated, "exitCode", 0) !== 0) failure = reason;
    } else if (booleanAt(status, "ready") && isFields(valueAt(status, "state.running"))) {
      isRunning = true;
      ready++;
    }
  }
  // A pod of which one container has completed and another runs is running.
  if (reason === "Completed") {
    if (isRunning && findCondition(pod, "Ready", "True") !== undefined) reason = "Running";
    else if (failure !== "") reason = failure;
    else if (isRunning) reason = "NotReady";
  }
  return { reason, ready, ...total };
}

function isSidecar(container: Fields): boolean {
  return stringAt(container, "restartPolicy") === "Always";
}

function endOf(terminated: Fields): string {
  const reason = stringAt(terminated, "reason", "");
  if (reason !== "") return reason;
  const signal = numberAt(terminated, "signal", 0);
  return signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode", 0)}` : `Signal:${signal}`;
}

function addRestarts(total: { restarts: number; restartedAt: string }, status: Fields): void {
  total.restarts += numberAt(status, "restartCount", 0);
  const finishedAt = stringAt(status, "lastState.terminated.finishedAt", "");
  if (finishedAt > total.restartedAt) total.restartedAt = finishedAt;
}
