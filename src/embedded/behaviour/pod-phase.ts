import { isSidecar, type Container, type ContainerStatus, type Pod } from "./pod.ts";

/** Whether the kubelet restarts a container that exited with this code. */
type ShouldRestart = (container: Container, exitCode: number) => boolean;

function statusOf(statuses: readonly ContainerStatus[], { name }: Container): ContainerStatus | undefined {
  return statuses.find((status) => status.name === name);
}

/** The phase that follows from the containers. `over`: nothing restarts any more. Models pkg/kubelet/kubelet_pods.go getPhase */
export function podPhaseFor(
  pod: Pod,
  init: readonly ContainerStatus[],
  main: readonly ContainerStatus[],
  { over, restarts }: { over: boolean; restarts: ShouldRestart },
): string {
  const mainHasRun = main.some(({ state }) => state.running ?? state.terminated);
  let pending = 0;
  let running = 0;
  for (const container of pod.spec.initContainers ?? []) {
    const status = statusOf(init, container);
    const end = status?.state.terminated ?? (status?.state.waiting && status.lastState.terminated);
    if (isSidecar(container)) {
      if (status?.state.running !== undefined) running++;
      if (end === undefined && status?.started !== true && !mainHasRun) pending++;
    } else if (end === undefined) {
      pending++;
    } else if (end.exitCode !== 0 && !restarts(container, end.exitCode)) {
      return "Failed";
    }
  }
  let waiting = 0;
  let stopped = 0;
  let succeeded = 0;
  let restarting = 0;
  for (const container of pod.spec.containers) {
    const status = statusOf(main, container);
    const end = status?.state.terminated ?? status?.lastState.terminated;
    if (status?.state.running !== undefined) running++;
    else if (end === undefined) waiting++;
    else {
      stopped++;
      if (restarts(container, end.exitCode)) restarting++;
      if (status?.state.terminated?.exitCode === 0) succeeded++;
    }
  }
  if (pending > 0 || waiting > 0) return "Pending";
  if (running > 0) return "Running";
  if (stopped === 0) return "Pending";
  if (restarting > 0 && !over) return "Running";
  return stopped === succeeded ? "Succeeded" : "Failed";
}
