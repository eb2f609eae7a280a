import { deploy as deployRelease, usePlan } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import { releaseText } from "../../release/record/index.ts";
import { Usage } from "../failure.ts";
import { readPlan } from "../plan-file.ts";
import { onRelease, termsOf, type ReleaseCommand } from "../release-command.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

export type DeployCommand = ReleaseCommand & {
  readonly createNamespace: boolean;
  readonly autoRollback: boolean;
  readonly historyMax?: number;
};

/** Brings a release to what the sources say. */
export async function deploy(
  name: string,
  sources: readonly string[],
  options: DeployCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { createNamespace } = options;
  const manifests = await load(sources, surroundings, { signal });
  return onRelease(
    {
      name,
      command: "deploy",
      work: (cluster, release, how) =>
        deployRelease({ release, manifests, createNamespace, ...termsOf(options) }, cluster, { ...how, ...courseOf(options) }),
    },
    options,
    terminal,
    signal,
  );
}

/** Does exactly what a saved plan says, or refuses. A name and a namespace, where given, must be those of the plan. */
export async function deployPlan(
  file: string,
  name: string | undefined,
  options: DeployCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const saved = await readPlan(file);
  const { release } = saved.proposal;
  const asked = { name: name ?? release.name, namespace: options.namespace ?? release.namespace };
  if (asked.name !== release.name || asked.namespace !== release.namespace)
    throw new Usage(`use the plan ${file}`, `it is for ${releaseText(release)}, not for ${releaseText(asked)}: leave the name out`);
  return onRelease(
    { name: release.name, command: "deploy", work: (cluster, _release, how) => usePlan(saved, cluster, { ...how, ...courseOf(options) }) },
    { ...options, namespace: release.namespace },
    terminal,
    signal,
  );
}

/** How a deploy goes about it, whatever it is to do. */
function courseOf({ autoRollback, historyMax }: DeployCommand) {
  return { autoRollback, ...(historyMax === undefined ? {} : { historyMax }) };
}
