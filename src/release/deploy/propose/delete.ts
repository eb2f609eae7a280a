import type { Cluster } from "../../../kube/index.ts";
import { keyOf, type ObjectRef } from "../../../core/object/index.ts";
import { latestOf, type Release } from "../../record/index.ts";
import { survey } from "../../live/index.ts";
import { basisOf } from "../basis.ts";
import { formerOf } from "../former.ts";
import { hooksDoneIn } from "../hook-runs.ts";
import type { Proposal, Terms } from "../proposal.ts";
import { prospectsOf } from "../prospect.ts";
import { draw, manager, numbered, planOptions, revisionsOf, wantedIn, type Options } from "./common.ts";

export type ReleaseRequest = Terms & { readonly release: Release };

/** Settles what deleting a release would do. */
export async function proposeDelete(request: ReleaseRequest, cluster: Cluster, { signal }: Options): Promise<Proposal> {
  const { release } = request;
  const revisions = await revisionsOf(release, cluster, signal);
  const revision = latestOf(revisions)!;
  const former = await formerOf(revisions, cluster, release.namespace);
  const hooks = former.filter(({ claims }) => claims.hook);
  const items = former.map((each) => (each.claims.hook ? wantedIn(each) : { ref: each.ref }));
  const found = await survey(items, cluster, { signal, manager, force: true });
  const hooksDone = revision.state === "uninstalling" ? hooksDoneIn(revision, hooks, "delete") : new Set<string>();
  const drawn = draw({
    operation: "delete",
    release: numbered(revision),
    desired: hooks,
    // Where a hook of this deletion has taken a resource's place, what is there is the hook.
    previous: former.filter(({ ref, claims }) => claims.hook || !hasRun(ref, hooksDone)),
    live: found.facts,
    hooksDone,
    options: planOptions(request),
  });
  const basis = basisOf(drawn, revisions, found);
  const objects = prospectsOf(basis, found, former);
  return { release, operation: "delete", plan: drawn, revision, unchanged: false, createsNamespace: false, warnings: [], basis, objects };
}

function hasRun(ref: ObjectRef, hooksDone: ReadonlySet<string>): boolean {
  return hooksDone.has(`pre/${keyOf(ref)}`) || hooksDone.has(`post/${keyOf(ref)}`);
}
