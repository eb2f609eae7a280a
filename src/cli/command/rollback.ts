import { rollback as rollBack } from "../../release/deploy/index.ts";
import { runOnRelease, operationPolicyOf } from "../run-on-release.ts";
import type { Terminal } from "../terminal.ts";
import type { RollbackFlags } from "../command-group/release.ts";
import { runSavedPlan } from "./use-plan.ts";

/** Brings a release back to an earlier revision. */
export async function rollback(
  name: string,
  to: number | undefined,
  options: RollbackFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const kept = { historyMax: options.historyMax };
  const target = to === undefined ? {} : { to };
  return runOnRelease(
    {
      name,
      command: "rollback",
      work: (cluster, release, how) => rollBack({ release, ...target, ...operationPolicyOf(options) }, cluster, { ...how, ...kept }),
    },
    options,
    terminal,
    signal,
  );
}

/** Does what a saved plan for a rollback says. */
export function rollbackPlan(
  file: string,
  name: string | undefined,
  options: RollbackFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return runSavedPlan({ file, command: "rollback", name, how: { historyMax: options.historyMax } }, options, terminal, signal);
}
