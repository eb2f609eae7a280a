import { readRevisions } from "../../release/status/index.ts";
import { historyTable, revisionOutline } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes } from "../failure.ts";
import { withCluster } from "../with-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { HistoryFlags } from "../command-group/release-query.ts";

/** Lists the revisions of a release, oldest first. */
export async function history(name: string, options: HistoryFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, max, ...where } = options;
  return withCluster(where, terminal, async ({ cluster }) => {
    const revisions = await readRevisions({ name, namespace: cluster.namespace }, cluster, { signal });
    const outlines = (max === 0 ? revisions : revisions.slice(-max)).map(revisionOutline);
    if (output !== "table") terminal.out(formatOutput(outlines, output));
    else for (const line of historyTable(outlines)) terminal.out(line);
    return exitCodes.ok;
  });
}
