import { containerRuleOf, type EffectiveRule, type ContainerRole } from "./effective-rule.ts";
import { timeMs, timestamp, type Container, type ContainerStatus, type Terminated } from "./pod.ts";
import type { PodSync } from "./pod-sync.ts";

/** A container that ran this long resets its back-off. Models the kubelet's back-off: twice its maximum. */
const backoffResetMs = 600_000;

/** The next change of a container: its time, and the status after it. */
export type ContainerTransition = { readonly at: number; readonly take: () => ContainerStatus };

/** One container in a sync: its spec, its role in the pod, its rule, and the sync of its pod. */
export type ContainerSync = {
  readonly container: Container;
  readonly role: ContainerRole;
  readonly rule: EffectiveRule;
  readonly podSync: PodSync;
  /** When the pod has advanced far enough to create this container. */
  readonly begin: number;
  readonly fieldPath: string;
};

export function containerSyncFor(podSync: PodSync, container: Container, role: ContainerRole, begin: number): ContainerSync {
  const list = role === "main" ? "containers" : "initContainers";
  const rule = containerRuleOf(podSync.pod, container, role, podSync.behaviour);
  return { container, role, rule, podSync, begin, fieldPath: `spec.${list}{${container.name}}` };
}

/** Whether the kubelet restarts a container that exited with this code. Models pkg/api/v1/pod/util.go ContainerShouldRestart */
export function shouldRestart(
  { container, role, podSync }: Pick<ContainerSync, "container" | "role" | "podSync">,
  exitCode: number,
): boolean {
  if (role === "sidecar") return true;
  if (role === "init" && exitCode === 0) return false;
  if (container.restartPolicy !== undefined) {
    const rule = container.restartPolicyRules?.find(({ exitCodes }) => {
      const listed = exitCodes?.values?.includes(exitCode) ?? false;
      return exitCodes?.operator === "In" ? listed : exitCodes?.operator === "NotIn" && !listed;
    });
    if (rule?.action === "Restart") return true;
  }
  const policy = container.restartPolicy ?? podSync.pod.spec.restartPolicy ?? "Always";
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

export function runningSince({ podSync, container }: Pick<ContainerSync, "podSync" | "container">, status: ContainerStatus): number {
  return podSync.since[container.name] ?? timeMs(status.state.running?.startedAt) ?? podSync.now;
}

/** The status of a container that has exited. */
export function terminatedStatus(
  { container, role, podSync }: Pick<ContainerSync, "container" | "role" | "podSync">,
  status: ContainerStatus,
  { from, at, exitCode, reason, message }: { from: number; at: number; exitCode: number; reason: string; message?: string },
): ContainerStatus {
  const { name } = container;
  if (at - from > backoffResetMs) podSync.crashes[name] = 0;
  podSync.since[name] = at;
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
