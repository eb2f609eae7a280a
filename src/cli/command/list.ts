import { historyOf } from "../../release/record/index.ts";
import { nothingText, releaseTable, revisionOutline } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes } from "../failure.ts";
import { withCluster } from "../with-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { ListFlags } from "../command-group/release-query.ts";

/** Lists the latest revision of each release, in any status. */
export async function listReleases(
  { allNamespaces, output, ...where }: ListFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withCluster(where, terminal, async ({ cluster }) => {
    const namespace = allNamespaces ? undefined : cluster.namespace;
    const releases = (await historyOf(cluster).list(namespace, { signal })).map(revisionOutline);
    if (output !== "table") terminal.out(formatOutput(releases, output));
    else if (releases.length === 0) terminal.err(nothingText(namespace));
    else for (const line of releaseTable(releases)) terminal.out(line);
    return exitCodes.ok;
  });
}
