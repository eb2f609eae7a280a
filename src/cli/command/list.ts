import { compileRe2 } from "../../lang/re2/index.ts";
import { historyOf, type Revision } from "../../release/record/index.ts";
import { nothingText, releaseTable, revisionOutline } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { withCluster } from "../with-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { ListFlags } from "../command-group/release-query.ts";

/** Lists the latest revision of each release, in any status unless the flags choose some. */
export async function listReleases(options: ListFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { allNamespaces, output, short } = options;
  return withCluster(options, terminal, async ({ cluster }) => {
    const namespace = allNamespaces ? undefined : cluster.namespace;
    const all = await historyOf(cluster).list(namespace, { signal });
    const releases = chosenFrom(all, options).map(revisionOutline);
    if (output !== "table") terminal.out(formatOutput(short ? releases.map(({ name }) => name) : releases, output));
    else if (short) for (const { name } of releases) terminal.out(name);
    else if (all.length === 0) terminal.err(nothingText(namespace));
    else if (releases.length === 0) terminal.err("no release is as the flags say");
    else for (const line of releaseTable(releases)) terminal.out(line);
    return exitCodes.ok;
  });
}

/** The releases that the flags choose, in their order. */
function chosenFrom(all: readonly Revision[], { filter, date, reverse, max, offset, ...flags }: ListFlags): readonly Revision[] {
  const states = statesIn(flags);
  const isNamed = matcherOf(filter);
  const found = all.filter(({ name, state }) => isNamed(name) && (states.length === 0 || states.includes(state)));
  const sorted = date ? found.toSorted((a, b) => timeOf(a) - timeOf(b)) : found;
  const ordered = reverse ? sorted.toReversed() : sorted;
  return ordered.slice(offset, max === 0 ? undefined : offset + max);
}

function matcherOf(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  try {
    const compiled = compileRe2(pattern);
    return (name) => compiled.matcher(name).find();
  } catch (error) {
    throw new UsageFault(`--filter ${pattern}`, error);
  }
}

function statesIn(flags: Pick<ListFlags, "all" | "deployed" | "failed" | "pending" | "uninstalled" | "uninstalling">): readonly string[] {
  if (flags.all) return [];
  return [
    ...(["deployed", "failed", "uninstalled", "uninstalling"] as const).filter((state) => flags[state]),
    ...(flags.pending ? ["pending-install", "pending-upgrade", "pending-rollback"] : []),
  ];
}

function timeOf({ lastDeployed = "" }: Revision): number {
  const time = Date.parse(lastDeployed);
  return Number.isNaN(time) ? 0 : time;
}
