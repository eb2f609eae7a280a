import { withoutOwnership, fieldManager } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isConflict, type Cluster } from "../../kube/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Progress } from "../../release/index.ts";
import { hasRun, planOrThrow } from "../../release/prepare/index.ts";
import { readLive } from "../../release/live/index.ts";
import { readPreviousObjects, orderPrevious } from "./previous-objects.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import { contentNamespace } from "./profile-manifest.ts";
import { succeededHooks, withdrawingRelease } from "./release-record.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { runResourcePlan, type FeatureResult } from "./deploy-resources.ts";
import { combineChanges, dropFeature, markRemoving, withRelease } from "./status-change.ts";
import { isOwnedBy } from "./tier-conflict.ts";

/**
 * Takes away what a profile has deployed of policyRefs, in the mirror image of how it came, with its delete hooks. What
 * belongs to somebody else by now stays. Afterwards the ClusterSummary says nothing of the feature.
 */
export async function* withdrawResources(
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress, FeatureResult> {
  const { signal } = options;
  const before = statusStore.featureRelease("Resources");
  const past = await readPreviousObjects(statusStore, scope.owner, context.cluster, options);
  const orderedPrevious = await orderPrevious(past, context.cluster);
  const hooks = orderedPrevious.filter(({ constraints }) => constraints.hook);
  const release = withdrawingRelease(before, past);
  const begun = combineChanges(markRemoving("Resources"), withRelease(release));
  // What is written down depends on nothing that is found, so nobody waits for it twice.
  const [found] = await Promise.all([
    readLive(
      orderedPrevious.map((each) => (each.constraints.hook ? { ref: each.ref, manifest: each.item.object } : { ref: each.ref })),
      context.cluster,
      { signal, manager: fieldManager, force: true },
    ),
    statusStore.update(begun, signal),
  ]);
  const hooksDone = succeededHooks(release, hooks, "delete");
  const plan = planOrThrow({
    operation: "delete",
    release: { name: scope.summary.metadata.name, namespace: contentNamespace, revision: release.revision },
    desired: hooks,
    previous: orderedPrevious.filter((each) => each.constraints.hook || (!hasRun(each.ref, hooksDone) && isOurs(each.ref))),
    live: found.facts,
    hooksDone,
    options: { wait: "all", force: true, takeOwnership: true, deleteData: true },
  });
  const failures = yield* runResourcePlan(
    { plan, start: { operation: "upgrade", release, carriedOn: true }, begun },
    statusStore,
    context,
    options,
  );
  if (failures.length > 0) throw new Fault(failures.join("\n"));
  // Of one that goes next nobody reads that it has nothing.
  if (statusStore.summary.metadata.deletionTimestamp === undefined) await statusStore.update(dropFeature("Resources"), signal);
  return { feature: { featureID: "Resources", resources: [] }, failed: false };

  function isOurs(ref: ObjectRef): boolean {
    const live = found.objects.get(keyOf(ref))?.live;
    return live !== undefined && isOwnedBy(live, scope.owner);
  }
}

/** Leaves what a profile has deployed, and takes off what says whose it is: LeavePolicies. Nothing is removed and no hook runs. */
export async function leaveResources(
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  { cluster }: AddonContext,
  { signal }: AddonOptions,
): Promise<void> {
  const past = await readPreviousObjects(statusStore, scope.owner, cluster, { signal });
  const orderedPrevious = await orderPrevious(past, cluster);
  const release = withdrawingRelease(statusStore.featureRelease("Resources"), past);
  await statusStore.update(combineChanges(markRemoving("Resources"), withRelease(release)), signal);
  for (const { ref } of orderedPrevious) await disown(ref, scope, cluster, signal);
  await statusStore.update(dropFeature("Resources"), signal);
}

async function disown(ref: ObjectRef, { owner }: ClusterSummaryScope, cluster: Cluster, signal: AbortSignal): Promise<void> {
  for (;;) {
    const live = await cluster.find(ref, { signal });
    if (live === undefined || !isOwnedBy(live, owner)) return;
    try {
      await cluster.replace(withoutOwnership(live), { manager: fieldManager, signal });
      return;
    } catch (error) {
      // Somebody has written meanwhile: the same is done to what is there now.
      if (!isConflict(error)) throw error;
    }
  }
}
