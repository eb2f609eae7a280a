import { readRevisions } from "../../release/status/index.ts";
import { historyTable, revisionOutline } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes } from "../failure.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import type { Terminal } from "../terminal.ts";

export type HistoryCommand = SiteOptions & { readonly output: "table" | "json" | "yaml" };

/** Lists the revisions of a release, oldest first. */
export async function history(name: string, options: HistoryCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { output, ...where } = options;
  return onCluster(where, terminal, async ({ cluster }) => {
    const revisions = await readRevisions({ name, namespace: cluster.namespace }, cluster, { signal });
    const outlines = revisions.map(revisionOutline);
    if (output !== "table") terminal.out(dataText(outlines, output));
    else for (const line of historyTable(outlines)) terminal.out(line);
    return exitCodes.ok;
  });
}
