import { BadInput, Fault } from "../fault/index.ts";

export const exitCodes = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** A command line that cannot be meant: exit code 2. */
export class Usage extends Fault {}

/** What a person is told of a failure. Only a mistake of ours shows a stack. */
export function textOfFailure(error: unknown): string {
  if (error instanceof BadInput)
    return error.problems.length === 1
      ? `error: ${error.message}`
      : `error: ${error.problems.length} problems:\n${indented(error.message)}`;
  if (error instanceof Fault) return `error: ${error.message}`;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `internal error (please report this):\n${text}`;
}

export function exitCodeOf(error: unknown): number {
  return error instanceof Usage ? exitCodes.usage : exitCodes.failed;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
