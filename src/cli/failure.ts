import { BadInput, Fault } from "../core/fault/index.ts";
import { Interrupted } from "./interrupt.ts";

/** `changes` is returned with --detailed-exit-code only: a plan would change something. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, changes: 3, interrupted: 130 } as const;

/** An invalid command line: exit code 2. */
export class UsageFault extends Fault {}

/** The text that a user sees of a failure. Only a bug of ours shows a stack. */
export function faultText(error: unknown): string {
  if (error instanceof BadInput)
    return error.problems.length === 1
      ? `error: ${error.message}`
      : `error: ${error.problems.length} problems:\n${indented(error.message)}`;
  if (error instanceof Fault) return `error: ${error.message}${hintFor(error)}`;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `internal error (please report this):\n${text}`;
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return exitCodes.interrupted;
  return error instanceof UsageFault ? exitCodes.usage : exitCodes.failed;
}

/** An API server explains no more than "Unauthorized". Reads the reason without importing `kube`, which not every command loads. */
function hintFor(error: Error): string {
  if ("reason" in error && error.reason === "Unauthorized")
    return ": the cluster does not accept the credentials of the kubeconfig's user: renew them, or choose another one with --context";
  return error.cause instanceof Error ? hintFor(error.cause) : "";
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
