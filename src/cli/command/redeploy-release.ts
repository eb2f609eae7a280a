import { redeploy } from "../../release/deploy/index.ts";
import type { RedeployReleaseFlags } from "../command-group/redeploy.ts";
import { operationPolicyOf, runOnRelease } from "../run-on-release.ts";
import type { Terminal } from "../terminal.ts";

/** Deploys the latest revision of a release again, or carries it on. */
export async function redeployRelease(
  name: string,
  options: RedeployReleaseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { historyMax } = options;
  return runOnRelease(
    {
      name,
      command: "redeploy release",
      work: (cluster, release, how) => redeploy({ release, ...operationPolicyOf(options) }, cluster, { ...how, historyMax }),
    },
    options,
    terminal,
    signal,
  );
}
