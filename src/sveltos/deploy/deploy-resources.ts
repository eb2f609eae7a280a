import { referenceOf, type DeployedFeature, type FeatureRelease, type FeatureStatus } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { keyOf, refOf, type KubeObject } from "../../core/object/index.ts";
import type { Progress } from "../../release/index.ts";
import { deployedResource, resourcesFeature } from "./cluster-configuration.ts";
import type { ContentRendering } from "./read-content.ts";
import { localOwner, readDesiredResources, type DesiredResources } from "./desired-resources.ts";
import { ResourceConflict } from "./resource-conflict.ts";
import { checkFeatureHealth } from "./check-feature-health.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import type { FeatureResult } from "./feature-result.ts";
import { runResourcePlan } from "./run-resource-plan.ts";
import { unservedFault } from "./missing-reference.ts";
import { createNewObject } from "./create-new-object.ts";
import { createNamespaces } from "./missing-namespaces.ts";
import { proposeResources, type ResourceProposal } from "./propose-resources.ts";
import { isHook, releaseStartOf, deployedRelease } from "./release-record.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { handOverObjects } from "./hand-over.ts";
import { guardedObjectsOf, ResourceGuard } from "./resource-guard.ts";
import { displacedBy, isOwnedBy, type ProfileRef } from "./tier-conflict.ts";
import { applySubresources } from "./apply-subresources.ts";
import { markUnhealthy, combineChanges, markProvisioned, markProvisioning, withGvks, withRelease } from "./status-change.ts";

/**
 * Deploys the content of policyRefs: nothing when it is deployed, otherwise an install or an upgrade with pruning, and health
 * checks at the end. It can be killed at any point and called again.
 */
export async function* deployResources(
  scope: ClusterSummaryScope,
  rendering: ContentRendering,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress, FeatureResult> {
  const desiredResources = await readDesiredResources(scope, rendering, context, options);
  if (isApplied(statusStore, desiredResources, "Provisioned"))
    return { feature: resourcesFeature(desiredResources.manifests, timeOf(statusStore)), failed: false };
  if (isApplied(statusStore, desiredResources, "Failed")) return finishDeploy(desiredResources, scope, statusStore, context, options);
  const begun = markProvisioning("Resources", desiredResources.hash);
  const isFirst = statusStore.featureSummary("Resources") === undefined && statusStore.featureRelease("Resources") === undefined;
  const recordStart = () =>
    statusStore.update(combineChanges(begun, withRelease(releaseStartOf(desiredResources, undefined, []).release)), options.signal);
  if (isFirst && (yield* createNewObject(desiredResources, recordStart, scope, statusStore, context, options)))
    return finishDeploy(desiredResources, scope, statusStore, context, options);
  const proposing = isFirst
    ? proposeAndRecordStart(desiredResources, recordStart, scope, statusStore, context, options)
    : proposalFor(desiredResources, false, scope, statusStore, context, options);
  const proposal = await proposing.catch((error: unknown) => {
    throw unservedFault(error, desiredResources.manifests);
  });
  const messages = proposal.conflicts.map(({ message }) => message);
  if (messages.length > 0 && !scope.summary.profile.continueOnConflict) {
    // The record says what the profile waits for: whoever leaves an object hands it over.
    if (proposal.start !== undefined) await statusStore.update(withRelease(proposal.start.release), options.signal);
    throw resourceConflict(messages, desiredResources, timeOf(statusStore), ownIn(proposal.found, scope), []);
  }
  if (proposal.start === undefined) await statusStore.update(begun, options.signal);
  const guard = new ResourceGuard(guardedObjectsOf(proposal.found, proposal.desired, proposal.previous), scope, context, options.signal);
  const { failures, applied, deleted } = yield* runResourcePlan({ ...proposal, begun, guard }, statusStore, context, options);
  const displaced = displacedIn(proposal, scope);
  const others = failuresBeside(guard, failures);
  if (others.length > 0) {
    const present = ownIn(proposal.found, scope);
    for (const key of applied) if (!present.has(key)) present.set(key, undefined);
    for (const key of deleted) present.delete(key);
    const fault = new Fault([...messages, ...guard.conflicts.values(), ...others].join("\n"));
    return { feature: featureOf(desiredResources, present, statusStore.now()), failed: true, fault, displaced };
  }
  throwIfConflicting(messages, guard, desiredResources, { ...proposal, displaced }, statusStore.now());
  await handOverObjects(proposal.handOvers, scope, context, options);
  return { ...(await finishDeploy(desiredResources, scope, statusStore, context, options)), displaced };
}

/** The failures of a run that are no conflicts. */
function failuresBeside({ conflicts }: ResourceGuard, failures: readonly string[]): readonly string[] {
  const found = [...conflicts.values()];
  return failures.filter((line) => !found.some((because) => line.endsWith(because)));
}

/** Throws the conflicts that were found before a run and during it. */
function throwIfConflicting(
  messages: readonly string[],
  guard: ResourceGuard,
  desiredResources: DesiredResources,
  { desired, displaced }: Pick<ResourceProposal, "desired"> & { readonly displaced: readonly ProfileRef[] },
  time: string,
): void {
  const conflicts = [...messages, ...guard.conflicts.values()];
  if (conflicts.length === 0) return;
  const applied = desired.map(({ ref }) => keyOf(ref)).filter((key) => !guard.conflicts.has(key));
  throw resourceConflict(conflicts, desiredResources, time, new Map(applied.map((key) => [key, undefined])), displaced);
}

/** By `keyOf`, objects that are deployed; live where they were read. */
type PresentObjects = ReadonlyMap<string, KubeObject | undefined>;

/** The objects that the profile owns in the cluster before the deploy. */
function ownIn({ objects }: ResourceProposal["found"], { owner }: ClusterSummaryScope): Map<string, KubeObject | undefined> {
  return new Map([...objects].flatMap(([key, { live }]) => (live !== undefined && isOwnedBy(live, owner) ? [[key, live]] : [])));
}

function resourceConflict(
  messages: readonly string[],
  { manifests }: DesiredResources,
  time: string,
  deployed: PresentObjects,
  displaced: readonly ProfileRef[],
): ResourceConflict {
  const refs = uniqueRefsOf(manifests.filter(({ ref }) => deployed.has(keyOf(ref))));
  return new ResourceConflict(messages.join("\n"), featureOf({ manifests }, deployed, time), refs, displaced);
}

/** The part of the feature that is deployed: of the content as it is now, and of earlier content what was not pruned. */
function featureOf({ manifests }: Pick<DesiredResources, "manifests">, present: PresentObjects, time: string): DeployedFeature {
  const wanted = new Set(manifests.map(({ ref }) => keyOf(ref)));
  const { resources = [] } = resourcesFeature(
    manifests.filter(({ ref }) => present.has(keyOf(ref))),
    time,
  );
  const left = [...present].flatMap(([key, object]) => {
    const reference = object === undefined ? undefined : referenceOf(object);
    if (object === undefined || reference === undefined || wanted.has(key) || isHook(object)) return [];
    return [deployedResource({ ref: refOf(object), reference, object }, time)];
  });
  return resources.length + left.length === 0 ? { featureID: "Resources" } : { featureID: "Resources", resources: [...resources, ...left] };
}

function displacedIn({ desired, found }: ResourceProposal, { owner }: ClusterSummaryScope): readonly ProfileRef[] {
  const displaced = desired.flatMap(({ ref }) => {
    const live = found.objects.get(keyOf(ref))?.live;
    const profile = live === undefined ? undefined : displacedBy(live, owner);
    return profile === undefined ? [] : [profile];
  });
  return [...new Map(displaced.map((each) => [`${each.kind}/${each.namespace}/${each.name}`, each])).values()];
}

/** The desired content is applied. A feature that has failed nevertheless has failed its health checks. */
function isApplied(statusStore: SummaryStatusStore, { hash, contentHash }: DesiredResources, status: FeatureStatus): boolean {
  const summary = statusStore.featureSummary("Resources");
  const release = statusStore.featureRelease("Resources");
  return summary?.status === status && summary.hash === hash && release?.state === "deployed" && release.hash === contentHash;
}

function timeOf(statusStore: SummaryStatusStore): string {
  return statusStore.featureSummary("Resources")?.lastAppliedTime ?? statusStore.now();
}

/**
 * For a first deploy the record is written while the cluster is read, to save time: it does not depend on what is read.
 */
async function proposeAndRecordStart(
  desiredResources: DesiredResources,
  recordStart: () => Promise<void>,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): Promise<ResourceProposal> {
  const [written, proposed] = await Promise.allSettled([
    recordStart(),
    proposalFor(desiredResources, true, scope, statusStore, context, options),
  ]);
  if (written.status === "rejected") throw written.reason;
  if (proposed.status === "rejected") throw proposed.reason;
  return proposed.value;
}

/** Creates missing namespaces when there is no conflict, and proposes again: the dry run can check more then. */
async function proposalFor(
  desiredResources: DesiredResources,
  isFirst: boolean,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  { signal }: AddonOptions,
): Promise<ResourceProposal> {
  const local = await localOwner(scope, context.cluster, { signal });
  const first = await proposeResources(desiredResources, scope, statusStore, context, { signal, local, isFirst });
  const isRefused = first.conflicts.length > 0 && !scope.summary.profile.continueOnConflict;
  if (first.missingNamespaces.length === 0 || isRefused) return first;
  await createNamespaces(first.missingNamespaces, context.cluster, { signal });
  return proposeResources(desiredResources, scope, statusStore, context, { signal, local, isFirst });
}

/** Writes the record of the deployed content, and marks the feature Provisioned when its health checks pass. */
async function finishDeploy(
  desiredResources: DesiredResources,
  { summary }: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  { cluster }: AddonContext,
  { signal }: AddonOptions,
): Promise<FeatureResult> {
  const { manifests, hash, contentHash } = desiredResources;
  await applySubresources(manifests, cluster, { signal });
  const begun = statusStore.featureRelease("Resources");
  const base: FeatureRelease = begun ?? { featureID: "Resources", revision: 1, state: "deploying", hash: contentHash };
  const release = { ...deployedRelease(base, manifests), hash: contentHash };
  const gvks = withGvks("Resources", uniqueRefsOf(manifests));
  const time = statusStore.now();
  const feature = resourcesFeature(manifests, time);
  const because = await checkFeatureHealth(summary.profile.validateHealths, "Resources", cluster, { signal });
  if (because !== undefined) {
    await statusStore.update(combineChanges(withRelease(release), gvks, markUnhealthy("Resources", because, hash)), signal);
    return { feature, failed: true };
  }
  await statusStore.update(combineChanges(withRelease(release), gvks, markProvisioned("Resources", hash, time)), signal);
  return { feature, failed: false };
}

/** In their order, each once. */
export function uniqueRefsOf(profileManifests: DesiredResources["manifests"]): DesiredResources["manifests"][number]["ref"][] {
  return [...new Map(profileManifests.map(({ ref }) => [keyOf(ref), ref])).values()];
}
