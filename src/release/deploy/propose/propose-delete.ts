import type { Cluster } from "../../../kube/index.ts";
import { latestOf, type Release, type Revision } from "../../record/index.ts";
import { readLive } from "../../live/index.ts";
import { planBasisOf } from "../plan-basis.ts";
import { hasRun, hooksDoneIn, liveQueryOf, planOrThrow, readPreviousManifests } from "../../prepare/index.ts";
import type { Proposal, OperationPolicy } from "../proposal.ts";
import { plannedObjectsOf } from "../planned-object.ts";
import {
  releaseFieldManager,
  releaseRevisionOf,
  planOptions,
  readExistingRevisions,
  readKeptRevisions,
  type AbortOptions,
} from "./proposal-input.ts";

export type ReleaseRequest = OperationPolicy & { readonly release: Release };

export type DeleteRequest = ReleaseRequest & {
  /** Deletes the records that `keepHistory` has kept of a deleted release. Default false: it is refused as deleted. */
  readonly purge?: boolean;
};

/** The revisions that a deletion deletes. Throws when there are none. */
export function readDeletedRevisions(
  { release, purge }: DeleteRequest,
  cluster: Cluster,
  { signal }: AbortOptions,
): Promise<readonly Revision[]> {
  return (purge === true ? readKeptRevisions : readExistingRevisions)(release, cluster, signal);
}

/** Proposes the deletion of a release, whose revisions may have been read before. */
export async function proposeDelete(
  request: DeleteRequest,
  cluster: Cluster,
  options: AbortOptions,
  known?: readonly Revision[],
): Promise<Proposal> {
  const { release } = request;
  const { signal } = options;
  const revisions = known ?? (await readDeletedRevisions(request, cluster, options));
  const revision = latestOf(revisions)!;
  const isDeleted = revision.state === "uninstalled";
  const recorded = isDeleted ? [] : await readPreviousManifests(revisions, cluster, release.namespace);
  const previous = request.noHooks === true ? recorded.filter(({ constraints }) => !constraints.hook) : recorded;
  const hooks = previous.filter(({ constraints }) => constraints.hook);
  const items = previous.map((each) => (each.constraints.hook ? liveQueryOf(each) : { ref: each.ref }));
  const found = await readLive(items, cluster, { signal, manager: releaseFieldManager, force: true });
  const hooksDone = revision.state === "uninstalling" ? hooksDoneIn(revision, hooks, "delete") : new Set<string>();
  const plan = planOrThrow({
    operation: "delete",
    release: releaseRevisionOf(revision),
    desired: hooks,
    // Where a delete hook has replaced a resource, the live object is the hook.
    previous: previous.filter(({ ref, constraints }) => constraints.hook || !hasRun(ref, hooksDone)),
    live: found.facts,
    hooksDone,
    background: { continued: revision.state === "uninstalling" },
    options: planOptions(request),
  });
  const basis = planBasisOf(plan, revisions, found);
  const objects = plannedObjectsOf(basis, found, previous);
  return { release, operation: "delete", plan, revision, unchanged: false, createsNamespace: false, warnings: [], basis, objects };
}
