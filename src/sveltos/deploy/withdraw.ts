import { disowned, fieldManager } from "../api/index.ts";
import { BadInput, Fault } from "../../core/fault/index.ts";
import { isConflict, type Cluster } from "../../kube/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Story } from "../../release/index.ts";
import type { Ordered } from "../../release/order/index.ts";
import { plan, type Wanted } from "../../release/plan/index.ts";
import { survey } from "../../release/live/index.ts";
import { formerObjects, inOrder } from "./former.ts";
import type { Ledger } from "./ledger.ts";
import { home } from "./place.ts";
import { hooksDoneIn, withdrawingRelease } from "./record.ts";
import type { AddonOptions, AddonSite, Assignment } from "./request.ts";
import { carryOut, type FeatureResult } from "./resources.ts";
import { all, forgotten, removing, withRelease } from "./status.ts";
import { isOwn } from "./tier.ts";

/**
 * Takes away what a profile has deployed of policyRefs, in the mirror image of how it came, with its delete hooks. What
 * belongs to somebody else by now stays. Afterwards the ClusterSummary says nothing of the feature.
 */
export async function* withdrawResources(
  assignment: Assignment,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<Story, FeatureResult> {
  const { signal } = options;
  const before = ledger.releaseOf("Resources");
  const past = await formerObjects(ledger, assignment.owner, site.cluster, options);
  const former = await inOrder(past, site.cluster);
  const hooks = former.filter(({ claims }) => claims.hook);
  const release = withdrawingRelease(before, past);
  const begun = all(removing("Resources"), withRelease(release));
  // What is written down depends on nothing that is found, so nobody waits for it twice.
  const [found] = await Promise.all([
    survey(
      former.map((each) => (each.claims.hook ? { ref: each.ref, manifest: each.item.object } : { ref: each.ref })),
      site.cluster,
      { signal, manager: fieldManager, force: true },
    ),
    ledger.update(begun, signal),
  ]);
  const hooksDone = hooksDoneIn(release, hooks, "delete");
  const hasRun = ({ ref }: Ordered<Wanted>) => hooksDone.has(`pre/${keyOf(ref)}`) || hooksDone.has(`post/${keyOf(ref)}`);
  const planned = plan({
    operation: "delete",
    release: { name: assignment.summary.metadata.name, namespace: home, revision: release.revision },
    desired: hooks,
    previous: former.filter((each) => each.claims.hook || (!hasRun(each) && isOurs(each.ref))),
    live: found.facts,
    hooksDone,
    options: { wait: "all", force: true, takeOwnership: true, deleteData: true },
  });
  if ("problems" in planned) throw new BadInput(planned.problems);
  const failures = yield* carryOut(
    { plan: planned.plan, beginning: { operation: "upgrade", release, carriedOn: true }, begun },
    ledger,
    site,
    options,
  );
  if (failures.length > 0) throw new Fault(failures.join("\n"));
  // Of one that goes next nobody reads that it has nothing.
  if (ledger.summary.metadata.deletionTimestamp === undefined) await ledger.update(forgotten("Resources"), signal);
  return { feature: { featureID: "Resources", resources: [] }, failed: false };

  function isOurs(ref: ObjectRef): boolean {
    const live = found.objects.get(keyOf(ref))?.live;
    return live !== undefined && isOwn(live, assignment.owner);
  }
}

/** Leaves what a profile has deployed, and takes off what says whose it is: LeavePolicies. Nothing is removed and no hook runs. */
export async function leaveResources(
  assignment: Assignment,
  ledger: Ledger,
  { cluster }: AddonSite,
  { signal }: AddonOptions,
): Promise<void> {
  const past = await formerObjects(ledger, assignment.owner, cluster, { signal });
  const former = await inOrder(past, cluster);
  const release = withdrawingRelease(ledger.releaseOf("Resources"), past);
  await ledger.update(all(removing("Resources"), withRelease(release)), signal);
  for (const { ref } of former) await leave(ref, assignment, cluster, signal);
  await ledger.update(forgotten("Resources"), signal);
}

async function leave(ref: ObjectRef, { owner }: Assignment, cluster: Cluster, signal: AbortSignal): Promise<void> {
  for (;;) {
    const live = await cluster.find(ref, { signal });
    if (live === undefined || !isOwn(live, owner)) return;
    try {
      await cluster.replace(disowned(live), { manager: fieldManager, signal });
      return;
    } catch (error) {
      // Somebody has written meanwhile: the same is done to what is there now.
      if (!isConflict(error)) throw error;
    }
  }
}
