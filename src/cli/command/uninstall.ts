import { historyOf } from "../../release/record/index.ts";
import type { UninstallFlags } from "../command-group/helm.ts";
import { exitCodes } from "../failure.ts";
import type { ClusterFlags } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import { deleteRelease } from "./delete.ts";
import { dryRunDelete } from "./plan-operation.ts";

/** Deletes releases one after the other, as `helm uninstall` does; the first failure ends it. */
export async function uninstall(
  names: readonly string[],
  // It is waited for in any case.
  { wait: _wait, ...options }: UninstallFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const flags = { ...options, purge: !options.keepHistory };
  for (const name of names) {
    if (options.ignoreNotFound && !(await isThere(name, options, terminal, signal))) {
      if (options.output === "text") terminal.out(`nothing to delete: there is no release ${name}`);
      continue;
    }
    const code = await (options.dryRun ? dryRunDelete : deleteRelease)(name, flags, terminal, signal);
    if (code !== exitCodes.ok) return code;
  }
  return exitCodes.ok;
}

async function isThere(name: string, options: ClusterFlags, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  return withCluster(options, terminal, async ({ cluster }) => {
    const revisions = await historyOf(cluster).revisions({ name, namespace: cluster.namespace }, { signal });
    return revisions.length > 0;
  });
}
