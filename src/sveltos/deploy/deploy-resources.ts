import { fieldManager, type DeployedFeature, type FeatureRelease, type FeatureStatus } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { keyOf, titleOf } from "../../core/object/index.ts";
import { runPlan } from "../../release/apply/index.ts";
import { hookEventOf } from "../../release/prepare/index.ts";
import type { Progress } from "../../release/index.ts";
import type { RecordAction } from "../../release/plan/index.ts";
import { resourcesFeature } from "./cluster-configuration.ts";
import type { ContentRendering } from "./read-content.ts";
import { localOwner, readDesiredResources, type DesiredResources } from "./desired-resources.ts";
import { ResourceConflict } from "./resource-conflict.ts";
import { checkFeatureHealth } from "./check-feature-health.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import { unservedFault } from "./missing-reference.ts";
import { createNamespaces } from "./missing-namespaces.ts";
import { proposeResources, type ResourceProposal } from "./propose-resources.ts";
import { releaseStartOf, deployedRelease, withHook } from "./release-record.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { handOverObjects } from "./hand-over.ts";
import { guardedObjectsOf, ResourceGuard } from "./resource-guard.ts";
import { displacedBy, isOwnedBy, type ProfileRef } from "./tier-conflict.ts";
import { applySubresources } from "./apply-subresources.ts";
import {
  markUnhealthy,
  combineChanges,
  markProvisioned,
  markProvisioning,
  unchangedStatus,
  withGvks,
  withRelease,
  type StatusChange,
} from "./status-change.ts";

/** The result of deploying or withdrawing a feature. */
export type FeatureResult = {
  /** For the ClusterConfiguration; undefined when its entry stays as it is. */
  readonly feature: DeployedFeature | undefined;
  /** It has failed; the reason is in the status of the ClusterSummary. */
  readonly failed: boolean;
  /** The profiles that have lost objects to this one. Default: none. */
  readonly displaced?: readonly ProfileRef[];
};

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
  const proposal = await proposeAndRecordStart(desiredResources, begun, scope, statusStore, context, options).catch((error: unknown) => {
    throw unservedFault(error, desiredResources.manifests);
  });
  const messages = proposal.conflicts.map(({ message }) => message);
  if (messages.length > 0 && !scope.summary.profile.continueOnConflict) {
    // The record says what the profile waits for: whoever leaves an object hands it over.
    if (proposal.start !== undefined) await statusStore.update(withRelease(proposal.start.release), options.signal);
    throw resourceConflict(messages, desiredResources, timeOf(statusStore), ownIn(proposal, scope), []);
  }
  if (proposal.start === undefined) await statusStore.update(begun, options.signal);
  const guard = new ResourceGuard(guardedObjectsOf(proposal.found, proposal.desired, proposal.previous), scope, context, options.signal);
  const failures = yield* runResourcePlan({ ...proposal, begun, guard }, statusStore, context, options);
  const displaced = displacedIn(proposal, scope);
  throwIfFailed(failures, messages, guard, desiredResources, { ...proposal, displaced }, statusStore.now());
  await handOverObjects(proposal.handOvers, scope, context, options);
  return { ...(await finishDeploy(desiredResources, scope, statusStore, context, options)), displaced };
}

/** Throws the failures of a run, and the conflicts that were found before and during it. */
function throwIfFailed(
  failures: readonly string[],
  messages: readonly string[],
  guard: ResourceGuard,
  desiredResources: DesiredResources,
  { desired, displaced }: Pick<ResourceProposal, "desired"> & { readonly displaced: readonly ProfileRef[] },
  time: string,
): void {
  const found = [...guard.conflicts.values()];
  const conflicts = [...messages, ...found];
  const others = failures.filter((line) => !found.some((because) => line.endsWith(because)));
  if (others.length > 0) throw new Fault([...conflicts, ...others].join("\n"));
  if (conflicts.length === 0) return;
  const applied = desired.map(({ ref }) => keyOf(ref)).filter((key) => !guard.conflicts.has(key));
  throw resourceConflict(conflicts, desiredResources, time, new Set(applied), displaced);
}

/** By `keyOf`, the objects that the profile owns in the cluster before the deploy. */
function ownIn({ desired, found }: ResourceProposal, { owner }: ClusterSummaryScope): ReadonlySet<string> {
  const keys = desired.map(({ ref }) => keyOf(ref));
  return new Set(
    keys.filter((key) => {
      const live = found.objects.get(key)?.live;
      return live !== undefined && isOwnedBy(live, owner);
    }),
  );
}

function resourceConflict(
  messages: readonly string[],
  { manifests }: DesiredResources,
  time: string,
  deployed: ReadonlySet<string>,
  displaced: readonly ProfileRef[],
): ResourceConflict {
  const deployedManifests = manifests.filter(({ ref }) => deployed.has(keyOf(ref)));
  const feature: DeployedFeature = deployedManifests.length === 0 ? { featureID: "Resources" } : resourcesFeature(deployedManifests, time);
  return new ResourceConflict(messages.join("\n"), feature, uniqueRefsOf(deployedManifests), displaced);
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
  begun: StatusChange,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): Promise<ResourceProposal> {
  const isFirst = statusStore.featureSummary("Resources") === undefined && statusStore.featureRelease("Resources") === undefined;
  if (!isFirst) return proposalFor(desiredResources, false, scope, statusStore, context, options);
  const { release } = releaseStartOf(desiredResources, undefined, []);
  const writing = statusStore.update(combineChanges(begun, withRelease(release)), options.signal);
  const [written, proposed] = await Promise.allSettled([
    writing,
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

/** A plan, and what is written when it starts: the record, if there is a new one, and the status of the feature. */
type ResourcePlanRun = Pick<ResourceProposal, "plan" | "start"> & { readonly begun?: StatusChange; readonly guard: ResourceGuard };

/** Runs a plan and writes its record to the ClusterSummary. Gives the failures, a line each. */
export async function* runResourcePlan(
  { plan, start, guard, begun = unchangedStatus }: ResourcePlanRun,
  statusStore: SummaryStatusStore,
  { cluster }: AddonContext,
  { signal, timeoutMs }: AddonOptions,
): AsyncGenerator<Progress, readonly string[]> {
  const failures: string[] = [];
  const record = (action: RecordAction, abort: AbortSignal) => recordStep(action, { plan, start, guard, begun }, statusStore, abort);
  yield { type: "planned", plan };
  for await (const event of runPlan(
    plan,
    { cluster, manager: fieldManager, guard, record },
    { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  )) {
    if (event.type === "done" && event.status === "stopped") signal.throwIfAborted();
    if (event.type === "failed") failures.push(event.verb === "record" ? event.because : `${titleOf(event.ref)}: ${event.because}`);
    // Record steps are left out: they name Secrets, but this record is in the ClusterSummary.
    if (!("verb" in event) || event.verb !== "record") yield event;
  }
  return failures;
}

/** The final state is written with the rest of the status, by `finishDeploy`. */
async function recordStep(
  { state, hook }: RecordAction,
  planRun: ResourcePlanRun,
  statusStore: SummaryStatusStore,
  signal: AbortSignal,
): Promise<void> {
  const { plan, start, begun = unchangedStatus } = planRun;
  if (start === undefined) return;
  const release = statusStore.featureRelease("Resources") ?? start.release;
  if (hook !== undefined)
    return statusStore.update(withRelease(withHook(release, hook.ref, hookEventOf(plan.operation, hook.stage), statusStore.now())), signal);
  if (state === "failed") return statusStore.update(withRelease({ ...release, state }), signal);
  if (state !== "deployed" && state !== "uninstalled") return statusStore.update(combineChanges(begun, withRelease(start.release)), signal);
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
