import { test as testRelease } from "../../release/deploy/index.ts";
import { onRelease, termsOf, type ReleaseCommand } from "../release-command.ts";
import type { Terminal } from "../terminal.ts";

/** Runs the test hooks of a release. */
export async function test(name: string, options: ReleaseCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return onRelease(
    { name, command: "test", work: (cluster, release, how) => testRelease({ release, ...termsOf(options) }, cluster, how) },
    options,
    terminal,
    signal,
  );
}
