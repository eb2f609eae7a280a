/**
 * The behaviour of pods, claims, load balancers and custom resources as data, and the statuses that follow from it.
 *
 * Pure: rules, an object and a time go in; the status that a kubelet would have written by then comes out, with its
 * events and the time of the next sync. All state is in the object, so another process can continue from it. It knows
 * no cluster, no queue and no clock; the embedded cluster's kubelet uses it, and so does the one that runs the pods of a
 * real control plane.
 *
 * Behaviour is a list of rules; the first that matches an object applies, and fields that it omits keep their default:
 *
 *     - match: { image: "*\/db:*", kind: StatefulSet }   # also labels, workload, namespace, name; crd for custom resources
 *       schedule: 50ms                                  # or { never: "why" }: unschedulable
 *       pull: { lognormal: { p50: 4s, p95: 20s }, cachedPerNode: true }   # or { fail: "message", times: 2 }
 *       init: 2s                                        # each init container
 *       start: 1s
 *       startup: 5s                                     # until a startup probe would succeed
 *       ready: { after: 25s }                           # or never; a readinessProbe rounds up to its ticks
 *       liveness: { failAfter: 1m, times: 1 }
 *       fail: { exitCode: 1, at: 40s, times: 2, reason: OOMKilled }
 *       terminate: 3s                                   # or { after, exitCode }
 *       logs: [listening, { after: 5s, line: warm }]
 *     - match: { kind: Job }
 *       run: { uniform: [5s, 60s] }
 *       result: { succeedAfterAttempts: 2 }
 *     - match: { kind: Service }
 *       address: never
 *     - match: { kind: PersistentVolumeClaim }
 *       bind: 3s
 *     - match: { crd: certificates.cert-manager.io }
 *       conditions: [{ type: Ready, status: "True", after: 12s }]
 *
 * Annotations or labels that begin with `sim.sluice.dev/` override the rules for one object:
 * `exit-code`, `exit-after`, `fail-times`, `ready-after` (a duration or `never`), `pull` (a duration or `fail`),
 * `start-after`, `schedule-after`, `terminate-after`, `unschedulable` (the reason), `log`, `address-after`, `bind-after`.
 *
 * Two defaults depend on the container: an image with the tag `missing` or from a registry in the `invalid` domain cannot
 * be pulled, and a command that consists of `echo`, `sleep`, `true`, `false` and `exit` only
 * (`["sh", "-c", "echo hi; sleep 5; exit 1"]`) is carried out.
 */
export { defaultBehaviour, type Behaviour, type BehaviourRule } from "./behaviour.ts";
export { addressDelay, bindDelay, customConditions, scheduleDelay, type SampledDelay } from "./sampled-delay.ts";
export { containerLogsOf, nextLineAt } from "./container-logs.ts";
export { attemptOf, nextPodStatus, type NextPodStatus } from "./next-pod-status.ts";
export { parseBehaviour } from "./parse-behaviour.ts";
export { matchesGlob } from "./matches-glob.ts";
export { asPod, timestamp, type ContainerStatus, type Pod, type PodCondition } from "./pod.ts";
export type { PodRuntimeState, PodEvent } from "./pod-sync.ts";
