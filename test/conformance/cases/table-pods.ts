import { httpGet, httpPost, httpPut, namespacedPath, type ConformanceCase } from "../conformance-case.ts";
import { asTable } from "./table-kinds.ts";

const podsPath = namespacedPath("v1", "pods");
/** A pod that nobody schedules, so that its status is what the case writes. */
const pod = (name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: {
    schedulerName: "nobody",
    initContainers: [{ name: "i", image: "example.com/i" }],
    containers: [
      { name: "a", image: "example.com/a" },
      { name: "b", image: "example.com/b" },
    ],
    readinessGates: [{ conditionType: "example.com/open" }],
  },
});
const named = (name: string, more: object) => ({ name, image: `example.com/${name}`, imageID: "", ready: false, restartCount: 0, ...more });
const ended = (exitCode: number, reason?: string) => ({
  terminated: {
    exitCode,
    startedAt: "2020-01-01T00:00:00Z",
    finishedAt: "2020-01-01T00:00:05Z",
    ...(reason === undefined ? {} : { reason }),
  },
});
const running = { running: { startedAt: "2020-01-01T00:00:00Z" } };
const initialized = [{ type: "Initialized", status: "True" }];
const podStatuses: Readonly<Record<string, object>> = {
  pending: { phase: "Pending" },
  gated: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] },
  init: { phase: "Pending", initContainerStatuses: [named("i", { state: running })] },
  "init-failed": { phase: "Pending", initContainerStatuses: [named("i", { restartCount: 2, state: ended(3), lastState: ended(3) })] },
  "init-waiting": { phase: "Pending", initContainerStatuses: [named("i", { state: { waiting: { reason: "ImagePullBackOff" } } })] },
  running: {
    phase: "Running",
    podIP: "192.0.2.7",
    podIPs: [{ ip: "192.0.2.7" }],
    conditions: [...initialized, { type: "example.com/open", status: "True" }],
    initContainerStatuses: [named("i", { state: ended(0, "Completed") })],
    containerStatuses: [
      named("a", { ready: true, state: running }),
      named("b", { restartCount: 4, state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended(1, "Error") }),
    ],
  },
  half: {
    phase: "Running",
    conditions: initialized,
    containerStatuses: [named("a", { ready: true, state: running }), named("b", { state: ended(0, "Completed") })],
  },
  error: {
    phase: "Running",
    conditions: initialized,
    containerStatuses: [named("a", { state: ended(0, "Completed") }), named("b", { state: ended(137) })],
  },
  succeeded: {
    phase: "Succeeded",
    conditions: initialized,
    containerStatuses: [named("a", { state: ended(0, "Completed") }), named("b", { state: ended(0, "Completed") })],
  },
  evicted: { phase: "Failed", reason: "Evicted", message: "the node was low on memory" },
};

/** Pods in every state as `kubectl get` shows them. */
export const podTableCase: ConformanceCase = {
  id: "table/pods",
  title: "the status of a pod comes from its containers",
  steps: [
    ...Object.entries(podStatuses).flatMap(([name, status]) => [
      httpPost(podsPath, pod(name), { show: [] }),
      httpPut(`${podsPath}/${name}/status`, { ...pod(name), status: JSON.parse(JSON.stringify(status)) }, { show: [] }),
    ]),
    httpGet(`${podsPath}?includeObject=None`, { headers: asTable, show: ["columnDefinitions", "rows"] }),
  ],
};
