import { parseLabelSelector, type LabelSelector } from "../../core/object/index.ts";
import { compileRe2 } from "../../lang/re2/index.ts";
import { historyOf, type Revision } from "../../release/record/index.ts";
import { nothingText, releaseTable, revisionOutline, revisionTime } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { withCluster } from "../with-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { ListFlags } from "../command-group/release-query.ts";

/** Lists the latest revision of each release, in any status unless the flags choose some. */
export async function listReleases(options: ListFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { allNamespaces, output, short, headers, timeFormat } = options;
  return withCluster(options, terminal, async ({ cluster }) => {
    const namespace = allNamespaces ? undefined : cluster.namespace;
    const all = await historyOf(cluster).list(namespace, { signal });
    const format = await timeFormatter(timeFormat);
    const releases = chosenFrom(all, options).map((revision) => ({ ...revisionOutline(revision), ...format(revision) }));
    if (output !== "table") terminal.out(formatOutput(short ? releases.map(({ name }) => name) : releases, output));
    else if (short) for (const { name } of releases) terminal.out(name);
    else if (all.length === 0) terminal.err(nothingText(namespace));
    else if (releases.length === 0) terminal.err("no release is as the flags say");
    else for (const line of releaseTable(releases).slice(headers ? 0 : 1)) terminal.out(line);
    return exitCodes.ok;
  });
}

/** Writes the time of a revision by a layout of Go, in the zone that it was recorded in, as Helm does. */
async function timeFormatter(layout: string | undefined): Promise<(revision: Revision) => { readonly updated?: string }> {
  if (layout === undefined) return () => ({});
  // Loaded for this flag alone.
  const { formatGoTime, parseGoTime, utc } = await import("../../lang/sprig/index.ts");
  return (revision) => {
    const time = revisionTime(revision) ?? "";
    if (Number.isNaN(Date.parse(time))) return {};
    return { updated: formatGoTime(parseGoTime("2006-01-02T15:04:05.999999999Z07:00", time, utc), layout) };
  };
}

/** The releases that the flags choose, in their order. */
function chosenFrom(all: readonly Revision[], { filter, selector, date, reverse, max, offset, ...flags }: ListFlags): readonly Revision[] {
  const states = statesIn(flags);
  const isNamed = matcherOf(filter);
  const isLabelled = selectorOf(selector);
  const found = all.filter(
    (revision) => isNamed(revision.name) && (states.length === 0 || states.includes(revision.state)) && isLabelled(recordLabels(revision)),
  );
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

function selectorOf(selector: string | undefined): LabelSelector["matches"] {
  try {
    return parseLabelSelector(selector ?? "").matches;
  } catch (error) {
    throw new UsageFault(`--selector ${selector}`, error);
  }
}

/** The labels of the object that stores a revision: the user's, and those that Helm's storage puts there. */
function recordLabels({ labels, name, state, revision }: Revision): Readonly<Record<string, string>> {
  return { ...labels, name, owner: "helm", status: state, version: String(revision) };
}

function statesIn(
  flags: Pick<ListFlags, "all" | "deployed" | "failed" | "pending" | "superseded" | "uninstalled" | "uninstalling">,
): readonly string[] {
  if (flags.all) return [];
  return [
    ...(["deployed", "failed", "superseded", "uninstalled", "uninstalling"] as const).filter((state) => flags[state]),
    ...(flags.pending ? ["pending-install", "pending-upgrade", "pending-rollback"] : []),
  ];
}

function timeOf({ lastDeployed = "" }: Revision): number {
  const time = Date.parse(lastDeployed);
  return Number.isNaN(time) ? 0 : time;
}
