import { kubernetesVersion } from "../../embedded/index.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { commit, version } from "../version.ts";

/** Prints what the program is made of, as JSON. */
export function printVersion(terminal: Terminal): number {
  const parts = { version, commit: commit ?? null, node: process.versions.node, kubernetes: kubernetesVersion };
  terminal.out(JSON.stringify(parts, undefined, 2));
  return exitCodes.ok;
}
