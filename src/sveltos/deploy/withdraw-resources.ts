import { withoutOwnership, fieldManager } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isConflict, type Cluster } from "../../kube/index.ts";
import { isDeleting, type ObjectRef } from "../../core/object/index.ts";
import type { Progress } from "../../release/index.ts";
import { hasRun, planOrThrow } from "../../release/prepare/index.ts";
import { readLive } from "../../release/live/index.ts";
import { readPreviousObjects, orderPrevious } from "./previous-objects.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import { contentNamespace } from "./profile-manifest.ts";
import { succeededHooks, withdrawingRelease } from "./release-record.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { runResourcePlan } from "./run-resource-plan.ts";
import type { FeatureResult } from "./feature-result.ts";
import { combineChanges, dropFeature, markRemoving, withRelease } from "./status-change.ts";
import { handOverObjects } from "./hand-over.ts";
import { HeldWithdrawal } from "./held-withdrawal.ts";
import { splitDeployed } from "./split-deployed.ts";
import { guardedObjectsOf, ResourceGuard } from "./resource-guard.ts";
import { isOwnedBy } from "./tier-conflict.ts";

/**
 * Deletes the deployed content of policyRefs in reverse order, with its delete hooks. Objects that another profile owns now
 * stay. At the end the feature is removed from the status.
 */
export async function* withdrawResources(
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress, FeatureResult> {
  const { signal } = options;
  const before = statusStore.featureRelease("Resources");
  const previous = await readPreviousObjects(statusStore, scope.owner, context, options);
  const orderedPrevious = await orderPrevious(previous, context.cluster);
  const hooks = orderedPrevious.filter(({ constraints }) => constraints.hook);
  const release = withdrawingRelease(before, previous);
  const begun = combineChanges(markRemoving("Resources"), withRelease(release));
  // A ClusterSummary that is being deleted goes with its record, which says all the while what is to be deleted. Hooks are noted in it.
  const isNoted = !isDeleting(statusStore.summary) || before === undefined || hooks.length > 0;
  // The record does not depend on what is read, so both run concurrently.
  const [found] = await Promise.all([
    readLive(
      orderedPrevious.map((each) => (each.constraints.hook ? { ref: each.ref, manifest: each.item.object } : { ref: each.ref })),
      context.cluster,
      { signal, manager: fieldManager, force: true },
    ),
    isNoted ? statusStore.update(begun, signal) : undefined,
  ]);
  const hooksDone = succeededHooks(release, hooks, "delete");
  const { removed, handOvers } = await splitDeployed(
    orderedPrevious.filter(({ ref, constraints }) => !constraints.hook && !hasRun(ref, hooksDone)),
    found,
    scope,
    context,
    { signal },
  );
  // Before anything is deleted: what others want is not to be touched, whatever fails after this.
  await handOverObjects(handOvers, scope, context, { signal });
  const plan = planOrThrow({
    operation: "delete",
    release: { name: scope.summary.metadata.name, namespace: contentNamespace, revision: release.revision },
    desired: hooks,
    previous: orderedPrevious.filter((each) => each.constraints.hook || removed.has(each)),
    live: found.facts,
    hooksDone,
    background: { continued: before?.state === "withdrawing" || isDeleting(statusStore.summary) },
    options: { wait: "all", force: true, takeOwnership: true, deleteData: true },
  });
  const guard = new ResourceGuard(guardedObjectsOf(found, [...removed]), scope, context, signal);
  const start = isNoted ? ({ operation: "upgrade", release, isContinued: true } as const) : undefined;
  const held = new HeldWithdrawal("Resources", statusStore, context.cluster.clock, signal);
  const failures: string[] = [];
  try {
    const run = { plan, guard, start, begun, waiting: begun, observe: (event: Progress) => held.observe(event) };
    failures.push(...(yield* runResourcePlan(run, statusStore, context, options)).failures);
  } finally {
    await held.end();
  }
  if (failures.length > 0) throw new Fault(failures.join("\n"));
  // Saves a write for a ClusterSummary that is deleted next.
  if (!isDeleting(statusStore.summary)) await statusStore.update(dropFeature("Resources"), signal);
  return { feature: { featureID: "Resources", resources: [] }, failed: false };
}

/** LeavePolicies: keeps the deployed objects and removes their ownership labels and annotations. No hook runs. */
export async function leaveResources(
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  { signal }: AddonOptions,
): Promise<void> {
  const { cluster } = context;
  const previous = await readPreviousObjects(statusStore, scope.owner, context, { signal });
  const orderedPrevious = await orderPrevious(previous, cluster);
  const release = withdrawingRelease(statusStore.featureRelease("Resources"), previous);
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
      // On a conflict the same change is made to the new object.
      if (!isConflict(error)) throw error;
    }
  }
}
