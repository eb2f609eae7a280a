import type { Delay } from "./behaviour.ts";
import { sample } from "./duration.ts";
import type { Probe } from "./pod.ts";

/** The results of a probe whose target turns healthy at a given time. */
type ProbeRun = {
  /** The tick at which enough consecutive tries have succeeded. Infinity: never. */
  readonly passesAt: number;
  /** The first tick that fails, or undefined when none does. */
  readonly firstFailureAt: number | undefined;
  /** The tick at which enough consecutive tries have failed; Infinity when it passes first. */
  readonly givesUpAt: number;
};

/** Models pkg/kubelet/prober/worker.go: the first try after the initial delay, then one each period. */
export function probeRun(probe: Probe, from: number, goodAt: number): ProbeRun {
  const { initialDelaySeconds = 0, periodSeconds = 10, successThreshold = 1, failureThreshold = 3 } = probe;
  const periodMs = periodSeconds * 1000;
  const firstTick = from + initialDelaySeconds * 1000;
  const failures = goodAt <= firstTick ? 0 : Math.ceil((goodAt - firstTick) / periodMs);
  return {
    passesAt: firstTick + (failures + successThreshold - 1) * periodMs,
    firstFailureAt: failures > 0 ? firstTick : undefined,
    givesUpAt: failures >= failureThreshold ? firstTick + (failureThreshold - 1) * periodMs : Infinity,
  };
}

/** When a delay has passed since `from`; Infinity for never. */
export function momentAfter(delay: Delay | undefined, from: number, chance: () => number): number {
  if (delay === undefined) return from;
  return "never" in delay ? Infinity : from + sample(delay.after, chance());
}

/** The output of a failing probe. Models pkg/probe/{http,tcp,exec,grpc} */
export function probeOutput(probe: Probe, podIP: string, message: string): string {
  if (message !== "") return message;
  if (probe["httpGet"] !== undefined) return "HTTP probe failed with statuscode: 503";
  if (probe["tcpSocket"] !== undefined) return `dial tcp ${podIP}: connect: connection refused`;
  if (probe["grpc"] !== undefined) return 'service unhealthy (responded with "NOT_SERVING")';
  return "command failed";
}
