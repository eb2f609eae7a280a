import { ended, restarts, runningSince, type Actor, type Step } from "./actor.ts";
import { sample } from "./duration.ts";
import type { ContainerStatus } from "./pod.ts";
import { momentAfter, probeOutput, probeRun } from "./probe.ts";

/** What comes next for a container that runs: its probes' verdicts, or its end. */
export function whileRunning(actor: Actor, status: ContainerStatus): Step | undefined {
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

/** When a container that runs since `from` counts as started, and when it is killed because it never does. */
function startup({ container, conduct, turn }: Actor, from: number) {
  if (container.startupProbe === undefined) return { passesAt: from, firstFailureAt: undefined, givesUpAt: Infinity };
  return probeRun(
    container.startupProbe,
    from,
    momentAfter(conduct.startup, from, () => turn.chance(`startup ${container.name}`)),
  );
}

/** The moment a sidecar lets what comes after it begin. */
export function startedAt(actor: Actor, status: ContainerStatus): number {
  return startup(actor, runningSince(actor, status)).passesAt;
}
