import { deploy as deployRelease } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
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
  const { createNamespace, autoRollback, historyMax } = options;
  const manifests = await load(sources, surroundings, { signal });
  const kept = historyMax === undefined ? {} : { historyMax };
  return onRelease(
    {
      name,
      command: "deploy",
      work: (cluster, release, how) =>
        deployRelease({ release, manifests, createNamespace, ...termsOf(options) }, cluster, { ...how, autoRollback, ...kept }),
    },
    options,
    terminal,
    signal,
  );
}
