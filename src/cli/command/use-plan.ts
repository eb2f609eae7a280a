import { usePlan, type DeployOptions } from "../../release/deploy/index.ts";
import { releaseText } from "../../release/record/index.ts";
import { UsageFault } from "../failure.ts";
import { readPlan } from "../plan-file.ts";
import { runOnRelease } from "../run-on-release.ts";
import type { ReleaseFlags } from "../shared-options.ts";
import { commandFor } from "../show-proposal.ts";
import type { Terminal } from "../terminal.ts";

type PlanUse = {
  readonly file: string;
  /** The command that is to use it: a deploy must not delete because of a file. */
  readonly command: "deploy" | "rollback" | "delete";
  /** The name of the release, where the command line has one. */
  readonly name: string | undefined;
  readonly how?: Pick<DeployOptions, "autoRollback" | "historyMax">;
};

/** Executes a saved plan, or refuses when it no longer fits. A name and a namespace, where given, must be those of the plan. */
export async function runSavedPlan(
  { file, command, name, how = {} }: PlanUse,
  options: ReleaseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const saved = await readPlan(file);
  const { release } = saved.proposal;
  const suited = commandFor(saved.proposal);
  if (suited !== command)
    throw new UsageFault(
      `use the plan ${file}`,
      `it is for sluice ${suited}, not for sluice ${command}: sluice ${suited} --use-plan uses it`,
    );
  const asked = { name: name ?? release.name, namespace: options.namespace ?? release.namespace };
  if (asked.name !== release.name || asked.namespace !== release.namespace)
    throw new UsageFault(`use the plan ${file}`, `it is for ${releaseText(release)}, not for ${releaseText(asked)}: leave the name out`);
  return runOnRelease(
    { name: release.name, command, work: (cluster, _release, running) => usePlan(saved, cluster, { ...running, ...how }) },
    { ...options, namespace: release.namespace },
    terminal,
    signal,
  );
}
