import { historyOf } from "../../release/record/index.ts";
import { exitCodes } from "../failure.ts";
import { withCluster } from "../with-cluster.ts";
import type { ClusterFlags } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";

/** A user who waits for a completion gives up after this long. */
const completionTimeoutMs = 2_000;

/** Prints the names of releases that complete a command line, one a line. Prints no error: the shell would show it in the prompt. */
export async function completeReleases(words: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const silent: Terminal = { ...terminal, err: () => {} };
  try {
    await withCluster(clusterFlagsIn(words), silent, async ({ cluster }) => {
      const late = new AbortController();
      const cancel = cluster.clock.after(completionTimeoutMs, () => late.abort());
      try {
        const releases = await historyOf(cluster).list(cluster.namespace, { signal: AbortSignal.any([signal, late.signal]) });
        for (const { name } of releases) terminal.out(name);
      } finally {
        cancel();
      }
    });
  } catch {
    return exitCodes.failed; // the shell offers nothing then
  }
  return exitCodes.ok;
}

const flags: Readonly<Record<string, "context" | "kubeconfig" | "namespace">> = {
  "--context": "context",
  "--kubeconfig": "kubeconfig",
  "--namespace": "namespace",
  "-n": "namespace",
};

/**
 * Reads the cluster and namespace from an unfinished command line: `--context x`, `--context=x`, and the latter as bash splits
 * it, in three words.
 */
export function clusterFlagsIn(words: readonly string[]): ClusterFlags {
  const found: { context?: string; kubeconfig?: string; namespace?: string } = {};
  const parts = words.flatMap((word) => (word.startsWith("--") ? word.split(/=(.*)/s, 2) : [word])).filter((word) => word !== "=");
  for (const [at, word] of parts.entries()) {
    const name = flags[word];
    const value = parts[at + 1];
    if (name !== undefined && value !== undefined && value !== "") found[name] = value;
  }
  return found;
}
