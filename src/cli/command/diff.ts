import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { compareReleases, compareRevisions, readDrift } from "../../release/diff/index.ts";
import { releaseText, type Release, type Revision } from "../../release/record/index.ts";
import { readRevision, readRevisions, revisionOf } from "../../release/status/index.ts";
import { comparisonJson, comparisonLines, type Comparison } from "../../view/index.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import type { DiffLiveFlags, DiffOutputFlags, DiffReleaseFlags, DiffRevisionFlags } from "../command-group/diff.ts";

/** Prints in what the cluster differs from what the record of a release says. */
export async function diffLive(name: string, options: DiffLiveFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return withCluster(options, terminal, async ({ cluster, name: context }) => {
    const release = { name, namespace: cluster.namespace };
    const revision = await readRevision(release, options.revision, cluster, { signal });
    if (revision.state === "uninstalled" && options.revision === undefined) throw deleted(release);
    const changes = await readDrift(revision, cluster, { signal });
    const title = `${revisionTitle(revision)} of ${releaseText(release)} and the cluster`;
    const about = { from: outlineOf(revision), to: { cluster: context } };
    return printComparison({ title, about, kind: "drift", changes }, options, terminal);
  });
}

function deleted(release: Release): Fault {
  const found = "it has been deleted, and only its history is kept: --revision compares with one of its revisions all the same";
  return new Fault(`compare release ${releaseText(release)} with the cluster`, found, { final: true });
}

/** Prints in what a revision of a release differs from an earlier one. */
export async function diffRevision(
  name: string,
  from: number,
  to: number | undefined,
  options: DiffRevisionFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withCluster(options, terminal, async ({ cluster }) => {
    const release = { name, namespace: cluster.namespace };
    const revisions = await readRevisions(release, cluster, { signal });
    const [before, after] = [revisionOf(revisions, release, from), revisionOf(revisions, release, to)];
    const changes = await compareRevisions(before, after, cluster, compareOptionsOf(options));
    const title = `${revisionTitle(before)} and ${revisionTitle(after)} of ${releaseText(release)}`;
    return printComparison({ title, about: aboutBoth(before, after), kind: "records", changes }, options, terminal);
  });
}

/** Prints in what the latest revision of a release differs from that of another one. */
export async function diffRelease(
  name: string,
  other: string,
  options: DiffReleaseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withCluster(options, terminal, async ({ cluster }) => {
    const [before, after] = await Promise.all([latestOf(name, cluster, signal), latestOf(other, cluster, signal)]);
    const changes = await compareReleases(before, after, cluster, compareOptionsOf(options));
    const title = `${releaseText(before)} and ${releaseText(after)}`;
    return printComparison({ title, about: aboutBoth(before, after), kind: "records", changes }, options, terminal);
  });
}

/** The latest revision of a release that is written as NAME or NAMESPACE/NAME. */
function latestOf(text: string, cluster: Cluster, signal: AbortSignal): Promise<Revision> {
  const [first = "", second] = text.split("/", 2);
  const release = second === undefined ? { name: first, namespace: cluster.namespace } : { name: second, namespace: first };
  return readRevision(release, undefined, cluster, { signal });
}

function compareOptionsOf({ hooks }: { readonly hooks: boolean }): { readonly only?: "resources" } {
  return hooks ? {} : { only: "resources" };
}

function revisionTitle({ revision }: Revision): string {
  return `revision ${revision}`;
}

function aboutBoth(before: Revision, after: Revision): object {
  return { from: outlineOf(before), to: outlineOf(after) };
}

function outlineOf({ name, namespace, revision }: Revision): object {
  return { name, namespace, revision };
}

/** Prints a comparison and returns the exit code that the flags ask for. */
export function printComparison(
  comparison: Comparison,
  { output, detailedExitCode, detailedExitcode }: DiffOutputFlags,
  { out, paint }: Terminal,
): number {
  if (output === "json") out(comparisonJson(comparison));
  else for (const line of comparisonLines(comparison, paint)) out(line);
  return (detailedExitCode || detailedExitcode) && comparison.changes.length > 0 ? exitCodes.changes : exitCodes.ok;
}
