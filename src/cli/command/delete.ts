import { uninstallRelease } from "../../release/deploy/index.ts";
import { runOnRelease, operationPolicyOf } from "../run-on-release.ts";
import type { Terminal } from "../terminal.ts";
import type { DeleteFlags } from "../command-group/release.ts";

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
