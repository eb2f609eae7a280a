import { historyOf } from "../../release/record/index.ts";
import { nothingText, releaseTable, revisionOutline } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes } from "../failure.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import type { Terminal } from "../terminal.ts";

export type ListCommand = SiteOptions & { readonly allNamespaces: boolean; readonly output: "table" | "json" | "yaml" };

/** Lists the latest revision of each release, whatever became of it. */
export async function list({ allNamespaces, output, ...where }: ListCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return onCluster(where, terminal, async ({ cluster }) => {
    const namespace = allNamespaces ? undefined : cluster.namespace;
    const releases = (await historyOf(cluster).list(namespace, { signal })).map(revisionOutline);
    if (output !== "table") terminal.out(dataText(releases, output));
    else if (releases.length === 0) terminal.err(nothingText(namespace));
    else for (const line of releaseTable(releases)) terminal.out(line);
    return exitCodes.ok;
  });
}
