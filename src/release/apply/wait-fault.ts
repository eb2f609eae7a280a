import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { noDiagnostics, type Diagnostics, type LogTail, type ObjectWait } from "../track/index.ts";

/** A failed wait, with its diagnostics. */
export class WaitFault extends Fault {
  readonly diagnostics: Diagnostics;

  constructor(because: string, evidence: Diagnostics) {
    super(because);
    this.name = "Unmet";
    this.diagnostics = evidence;
  }
}

/** The logs and events of a failed wait; empty lists are left out. */
export function diagnosticsIn(error: unknown): Partial<Diagnostics> {
  if (!(error instanceof WaitFault)) return {};
  const { logs, events, normalEvents } = error.diagnostics;
  return {
    ...(logs.length === 0 ? {} : { logs }),
    ...(events.length === 0 ? {} : { events }),
    ...(normalEvents.length === 0 ? {} : { normalEvents }),
  };
}

/** The diagnostics of a failed wait. A hook with output-log-policy hook-failed gets its whole output. */
export async function waitDiagnostics(wait: ObjectWait, hook: KubeObject | undefined, signal: AbortSignal): Promise<Diagnostics> {
  const evidence = await wait.diagnostics(signal);
  const whole = wantsOutput(hook, "hook-failed") ? await wait.output(signal) : [];
  return whole.length === 0 ? evidence : { ...evidence, logs: whole };
}

/** The output of a successful hook with output-log-policy hook-succeeded. */
export async function hookOutput(wait: ObjectWait, hook: KubeObject | undefined, signal: AbortSignal): Promise<readonly LogTail[]> {
  return wantsOutput(hook, "hook-succeeded") ? wait.output(signal) : noDiagnostics.logs;
}

/** Models helm pkg/action/hooks.go outputLogsByPolicy: only Jobs and Pods have output. */
function wantsOutput(hook: KubeObject | undefined, policy: "hook-succeeded" | "hook-failed"): boolean {
  if (hook === undefined || (hook.kind !== "Job" && hook.kind !== "Pod")) return false;
  const policies = hook.metadata.annotations?.["helm.sh/hook-output-log-policy"] ?? "";
  return policies.split(",").some((word) => word.trim().toLowerCase() === policy);
}
