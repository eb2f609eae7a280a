import { uninstallRelease } from "../../release/deploy/index.ts";
import { runOnRelease, operationPolicyOf } from "../run-on-release.ts";
import type { PurgeFlag } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import type { DeleteFlags } from "../command-group/release.ts";
import { runSavedPlan } from "./use-plan.ts";

/** Deletes a release with all of its objects. */
export async function deleteRelease(
  name: string,
  options: DeleteFlags & PurgeFlag,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { keepHistory, description, purge = false } = options;
  const recorded = { keepHistory, ...(description === undefined ? {} : { description }) };
  return runOnRelease(
    {
      name,
      command: "delete",
      work: (cluster, release, how) =>
        uninstallRelease({ release, purge, ...operationPolicyOf(options) }, cluster, { ...how, ...recorded }),
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
