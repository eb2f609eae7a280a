import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { noDiagnostics, type Diagnostics, type LogTail, type ObjectWait } from "../track/index.ts";

/** A wait that has failed, with what there is to show of it. */
export class WaitFault extends Fault {
  readonly diagnostics: Diagnostics;

  constructor(because: string, evidence: Diagnostics) {
    super(because);
    this.name = "Unmet";
    this.diagnostics = evidence;
  }
}

/** What is told of a failure beside its reason. What there is none of is left out. */
export function diagnosticsIn(error: unknown): Partial<Diagnostics> {
  if (!(error instanceof WaitFault)) return {};
  const { logs, events } = error.diagnostics;
  return { ...(logs.length === 0 ? {} : { logs }), ...(events.length === 0 ? {} : { events }) };
}

/** What a wait has to show when it has failed: the last lines, or of a hook that asks for it all that it has written. */
export async function waitDiagnostics(wait: ObjectWait, hook: KubeObject | undefined, signal: AbortSignal): Promise<Diagnostics> {
  const evidence = await wait.diagnostics(signal);
  const whole = wantsOutput(hook, "hook-failed") ? await wait.output(signal) : [];
  return whole.length === 0 ? evidence : { ...evidence, logs: whole };
}

/** What a hook that has succeeded wants to be shown. */
export async function hookOutput(wait: ObjectWait, hook: KubeObject | undefined, signal: AbortSignal): Promise<readonly LogTail[]> {
  return wantsOutput(hook, "hook-succeeded") ? wait.output(signal) : noDiagnostics.logs;
}

/** Models helm pkg/action/hooks.go outputLogsByPolicy: Jobs and Pods have an output. */
function wantsOutput(hook: KubeObject | undefined, policy: "hook-succeeded" | "hook-failed"): boolean {
  if (hook === undefined || (hook.kind !== "Job" && hook.kind !== "Pod")) return false;
  const said = hook.metadata.annotations?.["helm.sh/hook-output-log-policy"] ?? "";
  return said.split(",").some((word) => word.trim() === policy);
}
