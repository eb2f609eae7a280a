import { equal, type Fields } from "../../core/object/index.ts";
import { plainChart } from "./plain-chart.ts";
import { withoutRun } from "./hook-record.ts";
import { isPending, type Hook, type Release, type Revision, type RevisionState } from "./revision.ts";

/** What makes a revision, and is the same in one that deploys the same. */
export type RevisionContent = {
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** Default: one made up for plain manifests. */
  readonly chart?: Fields;
  readonly config?: Fields;
  readonly notes?: string;
  /** Default: the previous revision's. */
  readonly labels?: Readonly<Record<string, string>>;
};

export type RecordedOperation = "install" | "upgrade" | "rollback";

export type BeginOptions = {
  /** The latest revision there is, whatever became of it. */
  readonly previous: Revision | undefined;
  /** RFC 3339. */
  readonly at: string;
  /** Default: Helm's words for the operation. */
  readonly description?: string;
};

const underway: Readonly<Record<RecordedOperation, string>> = {
  install: "Initial install underway",
  upgrade: "Preparing upgrade",
  rollback: "Rollback underway",
};

/** The next revision of a release, pending and not saved yet. It is kept in the same kind of object as the one before. */
export function beginRevision(release: Release, operation: RecordedOperation, content: RevisionContent, options: BeginOptions): Revision {
  const { previous, at, description = underway[operation] } = options;
  const { name, namespace } = release;
  const firstDeployed = operation === "install" ? at : (previous?.firstDeployed ?? at);
  return {
    name,
    namespace,
    revision: (previous?.revision ?? 0) + 1,
    state: `pending-${operation}`,
    manifest: content.manifest,
    hooks: content.hooks.map(withoutRun),
    chart: content.chart ?? plainChart(name),
    config: content.config ?? {},
    firstDeployed,
    lastDeployed: at,
    description: clipped(description),
    notes: content.notes ?? "",
    labels: content.labels ?? previous?.labels ?? {},
    applyMethod: "ssa",
    storage: previous?.storage ?? "Secret",
  };
}

/** The revision in another state, with the reason. */
export function withState(revision: Revision, state: RevisionState, description: string): Revision {
  return { ...revision, state, description: clipped(description) };
}

/** The revision as it is when its objects are being deleted, or (`gone`) have been. */
export function asDeleting(revision: Revision, at: string, { gone = false }: { gone?: boolean } = {}): Revision {
  const next = gone
    ? withState(revision, "uninstalled", "Uninstallation complete")
    : withState(revision, "uninstalling", "Deletion in progress (or silently failed)");
  return { ...next, deleted: at };
}

/** Tells whether deploying `content` would deploy what this revision has already. How its hooks ran is no difference. */
export function hasContent(revision: Revision, content: RevisionContent): boolean {
  const { chart = plainChart(revision.name), config = {}, notes = "", labels = revision.labels } = content;
  return (
    revision.manifest === content.manifest &&
    revision.notes === notes &&
    equal(revision.hooks.map(withoutRun), content.hooks.map(withoutRun)) &&
    equal(revision.config, config) &&
    equal(revision.labels, labels) &&
    equal(stamped(revision.chart), stamped(chart))
  );
}

/** A chart without its files, which are in the manifests as far as they matter. */
function stamped(chart: Fields): unknown {
  return chart["metadata"] ?? {};
}

/**
 * What becomes of a latest revision that nobody is working on any more. To be asked by the holder of the release's Lease
 * only: without it, somebody may be.
 */
export type Continuation =
  /** The same was being deployed: it goes on under its number, and what has run is not run again. */
  | { readonly how: "carry-on"; readonly revision: Revision }
  /** Something else was being deployed: this, failed, is to be saved before the next one begins. */
  | { readonly how: "abandon"; readonly revision: Revision }
  /** It is over. */
  | { readonly how: "follow" };

export function continuationOf(latest: Revision | undefined, operation: RecordedOperation, content: RevisionContent): Continuation {
  if (latest === undefined || !isUnfinished(latest)) return { how: "follow" };
  if (latest.state === `pending-${operation}` && hasContent(latest, content)) return { how: "carry-on", revision: latest };
  return { how: "abandon", revision: asAbandoned(latest) };
}

/** An unfinished revision, given up. */
export function asAbandoned(revision: Revision): Revision {
  return withState(revision, "failed", `Interrupted while ${revision.state}: ${revision.description}`);
}

/** Tells whether a revision says that somebody is at work on it. */
export function isUnfinished({ state }: Revision): boolean {
  return isPending(state) || state === "uninstalling";
}

/** A record has room for a story, not for a novel: see `objectionTo`. */
const longestDescription = 1000;

function clipped(description: string): string {
  return description.length <= longestDescription ? description : `${description.slice(0, longestDescription - 1)}…`;
}
