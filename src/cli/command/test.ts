import { test as testRelease } from "../../release/deploy/index.ts";
import { runOnRelease, operationPolicyOf } from "../run-on-release.ts";
import type { ReleaseFlags } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";

/** Runs the test hooks of a release. */
export async function test(name: string, options: ReleaseFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return runOnRelease(
    { name, command: "test", work: (cluster, release, how) => testRelease({ release, ...operationPolicyOf(options) }, cluster, how) },
    options,
    terminal,
    signal,
  );
}
