import { uninstallRelease } from "../../release/deploy/index.ts";
import { runOnRelease, operationPolicyOf } from "../run-on-release.ts";
import type { Terminal } from "../terminal.ts";
import type { DeleteFlags } from "../command-group/release.ts";
import { runSavedPlan } from "./use-plan.ts";

/** Deletes a release with all of its objects. */
export async function deleteRelease(name: string, options: DeleteFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { keepHistory } = options;
  return runOnRelease(
    {
      name,
      command: "delete",
      work: (cluster, release, how) => uninstallRelease({ release, ...operationPolicyOf(options) }, cluster, { ...how, keepHistory }),
    },
    options,
    terminal,
    signal,
  );
}

/** Does what a saved plan for a deletion says. */
export function deletePlan(
  file: string,
  name: string | undefined,
  options: DeleteFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return runSavedPlan({ file, command: "delete", name }, options, terminal, signal);
}
