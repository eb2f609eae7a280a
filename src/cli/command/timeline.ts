import { Fault } from "../../core/fault/index.ts";
import { compareTimelines, timelineOf, type Recording, type Timeline } from "../../release/recording/index.ts";
import { timelineComparisonLines, timelineLines, timelineOutline, timelinePage } from "../../view/index.ts";
import type { TimelineFlags } from "../command-group/release-query.ts";
import { UsageFault, exitCodes } from "../failure.ts";
import { formatOutput } from "../format-output.ts";
import { writeErrorText, writePrivateFile } from "../private-file.ts";
import { readReleaseTimeline } from "../read-release-timeline.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import { parseProfileFilter } from "../fleet/parse-profile-filter.ts";
import { withManagementCluster } from "../fleet/with-management-cluster.ts";
import { warningPrinter } from "../warning-printer.ts";

/** Draws how a revision was deployed, from its recording. */
export async function timeline(
  name: string,
  revision: number | undefined,
  options: TimelineFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { output, html, compare, cluster: of, ...where } = options;
  if (of !== undefined) return fleetTimelines(name, of, revision, options, terminal, signal);
  if (compare !== undefined && html !== undefined) throw new UsageFault("--compare is told as text or JSON: leave out --html");
  return withCluster(where, terminal, async ({ cluster }) => {
    const read = (number: number | undefined) => readReleaseTimeline({ name, namespace: cluster.namespace }, number, cluster, signal);
    const { recording, timeline: drawn, remarks } = await read(revision);
    for (const remark of remarks) terminal.err(terminal.paint.warn(remark));
    if (compare === undefined) return showTimelines([{ recording, drawn }], options, terminal);
    return showComparison((await read(compare)).timeline, drawn, output, terminal);
  });
}

/** The same of a profile in a cluster of the fleet: of its resources, and of each of its charts. */
async function fleetTimelines(
  name: string,
  cluster: string,
  revision: number | undefined,
  { compare, ...options }: TimelineFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (revision !== undefined || compare !== undefined)
    throw new UsageFault("--cluster shows the latest deployment of a profile: leave out the revision and --compare");
  const { readProfileRecordings } = await import("../fleet/read-profile-recordings.ts");
  const { namespace: _namespace, output: _output, html: _html, cluster: _cluster, ...where } = options;
  return withManagementCluster(where, terminal, async ({ cluster: hub }) => {
    const warn = warningPrinter(terminal);
    const recordings = await readProfileRecordings(parseProfileFilter(name), cluster, hub, warn, signal);
    const timelines = recordings.map((recording) => ({ recording, drawn: timelineOf(recording) }));
    return showTimelines(timelines, options, terminal);
  });
}

/** Several are shown one after the other; as data they are a list. */
async function showTimelines(
  timelines: readonly { readonly recording: Recording; readonly drawn: Timeline }[],
  { output, html, cluster }: Pick<TimelineFlags, "output" | "html" | "cluster">,
  terminal: Terminal,
): Promise<number> {
  if (html !== undefined) {
    await writePage(html, timelinePage(timelines.map(({ drawn }) => drawn)));
    terminal.err(`wrote ${html}`);
  }
  const outlines = () => timelines.map(({ recording, drawn }) => timelineOutline(drawn, recording));
  if (output !== "text") terminal.out(formatOutput(cluster === undefined ? outlines()[0] : outlines(), output));
  else if (html === undefined) for (const line of timelines.flatMap(({ drawn }, at) => drawnLines(drawn, at, terminal))) terminal.out(line);
  return exitCodes.ok;
}

function drawnLines(timeline: Timeline, at: number, { paint, screen }: Terminal): readonly string[] {
  const frame = { paint, ...(screen === undefined ? { whole: true } : { columns: screen.size().columns }) };
  return [...(at === 0 ? [] : [""]), ...timelineLines(timeline, frame)];
}

function showComparison(before: Timeline, after: Timeline, output: TimelineFlags["output"], terminal: Terminal): number {
  const comparison = compareTimelines(before, after);
  if (output !== "text") terminal.out(formatOutput({ before: before.subject, after: after.subject, ...comparison }, output));
  else for (const line of timelineComparisonLines(before, after, comparison, terminal.paint)) terminal.out(line);
  return exitCodes.ok;
}

async function writePage(file: string, page: string): Promise<void> {
  try {
    await writePrivateFile(file, page);
  } catch (error) {
    throw new Fault(`write ${file}`, writeErrorText(error, file), { final: true });
  }
}
