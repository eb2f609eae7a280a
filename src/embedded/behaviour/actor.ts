import { containerConduct, type Conduct, type Role } from "./conduct.ts";
import { momentOf, timestamp, type Container, type ContainerStatus, type Terminated } from "./pod.ts";
import type { Turn } from "./turn.ts";

/** A container that ran this long starts with a clean record. Models the kubelet's back-off: twice its longest wait. */
const cleanRecordMs = 600_000;

/** The next change of a container: when, and what it makes of the status. */
export type Step = { readonly at: number; readonly take: () => ContainerStatus };

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

export function runningSince({ turn, container }: Pick<Actor, "turn" | "container">, status: ContainerStatus): number {
  return turn.since[container.name] ?? momentOf(status.state.running?.startedAt) ?? turn.now;
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
