import { equal, type Fields } from "../../core/object/index.ts";
import { placeholderChart } from "./placeholder-chart.ts";
import { withoutRun } from "./hook-record.ts";
import { splitManifests } from "./manifest-text.ts";
import { isPending, type Hook, type Release, type Revision, type RevisionState, type StorageKind } from "./revision.ts";

/** What a revision deploys. Two revisions with equal content deploy the same. */
export type RevisionContent = {
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** Default: a placeholder for plain manifests. */
  readonly chart?: Fields;
  readonly config?: Fields;
  readonly notes?: string;
  /** Default: those of the previous revision. */
  readonly labels?: Readonly<Record<string, string>>;
};

export type RecordedOperation = "install" | "upgrade" | "rollback";

type BeginOptions = {
  /** The latest revision, whatever its state. */
  readonly previous: Revision | undefined;
  /** RFC 3339. */
  readonly at: string;
  /** Default: Helm's description of the operation. */
  readonly description?: string;
  /** What stores the first revision of a release. Default: a Secret. */
  readonly storage?: StorageKind;
};

const underway: Readonly<Record<RecordedOperation, string>> = {
  install: "Initial install underway",
  upgrade: "Preparing upgrade",
  rollback: "Rollback underway",
};

/** The next revision of a release, pending and not saved yet. It uses the storage of the previous one. */
export function beginRevision(release: Release, operation: RecordedOperation, content: RevisionContent, options: BeginOptions): Revision {
  const { previous, at, description = underway[operation], storage = "Secret" } = options;
  const { name, namespace } = release;
  const firstDeployed = operation === "install" ? at : (previous?.firstDeployed ?? at);
  return {
    name,
    namespace,
    revision: (previous?.revision ?? 0) + 1,
    state: `pending-${operation}`,
    manifest: content.manifest,
    hooks: content.hooks.map(withoutRun),
    chart: content.chart ?? placeholderChart(name),
    config: content.config ?? {},
    firstDeployed,
    lastDeployed: at,
    description: clipped(description),
    notes: content.notes ?? "",
    labels: content.labels ?? previous?.labels ?? {},
    applyMethod: "ssa",
    storage: previous?.storage ?? storage,
  };
}

/** The revision in another state, with its reason. */
export function withState(revision: Revision, state: RevisionState, description: string): Revision {
  return { ...revision, state, description: clipped(description) };
}

/** The revision while its objects are being deleted. */
export function asDeleting(revision: Revision, at: string): Revision {
  return { ...withState(revision, "uninstalling", "Deletion in progress (or silently failed)"), deleted: at };
}

/** The revision after its objects have been deleted. */
export function asDeleted(revision: Revision, at: string, description = "Uninstallation complete"): Revision {
  return { ...withState(revision, "uninstalled", description), deleted: at };
}

/** Whether this revision deploys the same content. The runs of its hooks and the paths of its files do not count. */
export function hasContent(revision: Revision, content: RevisionContent): boolean {
  const { chart = placeholderChart(revision.name), config = {}, notes = "", labels = revision.labels } = content;
  return (
    hasManifest(revision.manifest, content.manifest) &&
    revision.notes === notes &&
    equal(revision.hooks.map(withoutRunAndPath), content.hooks.map(withoutRunAndPath)) &&
    equal(revision.config, config) &&
    equal(revision.labels, labels) &&
    equal(stamped(revision.chart), stamped(chart))
  );
}

/** The same file can be named by another path. */
function hasManifest(a: string, b: string): boolean {
  return a === b || equal(textsIn(a), textsIn(b));
}

function textsIn(manifest: string): readonly string[] {
  return splitManifests(manifest).map(({ text }) => text);
}

function withoutRunAndPath(hook: Hook): Hook {
  return { ...withoutRun(hook), path: "" };
}

/** The chart's metadata. Its files matter only through the manifests. */
function stamped(chart: Fields): unknown {
  return chart["metadata"] ?? {};
}

/**
 * What to do about an unfinished latest revision. Ask only while holding the release's Lease: without it another
 * process may be at work.
 */
type Continuation =
  /** The same content was being deployed: the revision continues, and successful hooks are not run again. */
  | { readonly how: "carry-on"; readonly revision: Revision }
  /** Other content was being deployed: this revision is saved as failed before the next one begins. */
  | { readonly how: "abandon"; readonly revision: Revision }
  /** The latest revision is finished. */
  | { readonly how: "follow" };

export function continuationOf(latest: Revision | undefined, operation: RecordedOperation, content: RevisionContent): Continuation {
  if (latest === undefined || !isUnfinished(latest)) return { how: "follow" };
  if (latest.state === `pending-${operation}` && hasContent(latest, content)) return { how: "carry-on", revision: latest };
  return { how: "abandon", revision: asAbandoned(latest) };
}

/** An unfinished revision, marked as failed. */
function asAbandoned(revision: Revision): Revision {
  return withState(revision, "failed", `Interrupted while ${revision.state}: ${revision.description}`);
}

/** Whether a revision is pending or uninstalling. */
export function isUnfinished({ state }: Pick<Revision, "state">): boolean {
  return isPending(state) || state === "uninstalling";
}

/** Keeps a record within its size limit: see `objectionToRecord`. */
const longestDescription = 1000;

function clipped(description: string): string {
  return description.length <= longestDescription ? description : `${description.slice(0, longestDescription - 1)}…`;
}
