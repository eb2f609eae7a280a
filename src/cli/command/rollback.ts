import { rollback as rollBack } from "../../release/deploy/index.ts";
import { onRelease, termsOf, type ReleaseCommand } from "../release-command.ts";
import type { Terminal } from "../terminal.ts";

export type RollbackCommand = ReleaseCommand & { readonly historyMax?: number };

/** Brings a release back to an earlier revision. */
export async function rollback(
  name: string,
  to: number | undefined,
  options: RollbackCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const kept = options.historyMax === undefined ? {} : { historyMax: options.historyMax };
  const target = to === undefined ? {} : { to };
  return onRelease(
    {
      name,
      command: "rollback",
      work: (cluster, release, how) => rollBack({ release, ...target, ...termsOf(options) }, cluster, { ...how, ...kept }),
    },
    options,
    terminal,
    signal,
  );
}
