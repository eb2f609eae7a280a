import { fieldManager, type DeployedFeature, type FeatureRelease, type FeatureStatus } from "../api/index.ts";
import { BadInput, Fault } from "../../core/fault/index.ts";
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
import { UnservedKinds } from "./missing-reference.ts";
import { createNamespaces } from "./missing-namespaces.ts";
import { proposeResources, type ResourceProposal } from "./propose-resources.ts";
import { releaseStartOf, deployedRelease, withHook } from "./release-record.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "./addon-request.ts";
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

/** What came of a feature. */
export type FeatureResult = {
  /** For the ClusterConfiguration; undefined where it stays what it is. */
  readonly feature: DeployedFeature | undefined;
  /** It has failed; the ClusterSummary says why. */
  readonly failed: boolean;
  /** The profiles that have lost objects to this one. Default: none. */
  readonly displaced?: readonly ProfileRef[];
};

/**
 * Brings the content of policyRefs into the cluster: nothing when it is there, otherwise an install or an upgrade, with the
 * removal of what left, and the health checks at the end. Safe to be killed at any instant and to be called again.
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
    throw unservedFault(error, desiredResources);
  });
  const messages = proposal.conflicts.map(({ message }) => message);
  const isRefused = messages.length > 0 && !scope.summary.profile.continueOnConflict;
  if (isRefused) throw resourceConflict(messages, desiredResources, timeOf(statusStore), ownIn(proposal, scope));
  if (proposal.start === undefined) await statusStore.update(begun, options.signal);
  const failures = yield* runResourcePlan({ ...proposal, begun }, statusStore, context, options);
  if (failures.length > 0) throw new Fault([...messages, ...failures].join("\n"));
  if (messages.length > 0)
    throw resourceConflict(messages, desiredResources, statusStore.now(), new Set(proposal.desired.map(({ ref }) => keyOf(ref))));
  return { ...(await finishDeploy(desiredResources, scope, statusStore, context, options)), displaced: displacedIn(proposal, scope) };
}

/** By `keyOf`, what the profile has in the cluster before anything is done. */
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
  there: ReadonlySet<string>,
): ResourceConflict {
  const pieces = manifests.filter(({ ref }) => there.has(keyOf(ref)));
  const feature: DeployedFeature = pieces.length === 0 ? { featureID: "Resources" } : resourcesFeature(pieces, time);
  return new ResourceConflict(messages.join("\n"), feature, uniqueRefsOf(pieces));
}

/** What a cluster does not take as it is now it may take later: a kind, a namespace or a right may come, and only a kind is heard of. */
function unservedFault(error: unknown, { manifests }: DesiredResources): unknown {
  if (!(error instanceof BadInput)) return error;
  const unserved = manifests.filter(({ served }) => !served).map(({ ref: { group, version, kind } }) => ({ group, version, kind }));
  return unserved.length > 0 ? new UnservedKinds(error.message, unserved) : new Fault(error.message);
}

function displacedIn({ desired, found }: ResourceProposal, { owner }: ClusterSummaryScope): readonly ProfileRef[] {
  const losers = desired.flatMap(({ ref }) => {
    const live = found.objects.get(keyOf(ref))?.live;
    const loser = live === undefined ? undefined : displacedBy(live, owner);
    return loser === undefined ? [] : [loser];
  });
  return [...new Map(losers.map((loser) => [`${loser.kind}/${loser.namespace}/${loser.name}`, loser])).values()];
}

/** What is wanted is in the cluster; where the feature has failed nevertheless, it was by its health checks. */
function isApplied(statusStore: SummaryStatusStore, { hash, contentHash }: DesiredResources, status: FeatureStatus): boolean {
  const summary = statusStore.featureSummary("Resources");
  const release = statusStore.featureRelease("Resources");
  return summary?.status === status && summary.hash === hash && release?.state === "deployed" && release.hash === contentHash;
}

function timeOf(statusStore: SummaryStatusStore): string {
  return statusStore.featureSummary("Resources")?.lastAppliedTime ?? statusStore.now();
}

/**
 * What is written down before anything is applied is written while the cluster is looked at, where nothing was deployed
 * before: then it depends on nothing that is found there.
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

/** Namespaces that are not there are made as soon as nothing speaks against the rest; then the cluster can judge more of it. */
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

/** A plan, and what is written down when it begins: the record, if there is one, and with it how the feature stands. */
export type ResourcePlanRun = Pick<ResourceProposal, "plan" | "start"> & { readonly begun?: StatusChange };

/** Runs a plan and keeps its record in the ClusterSummary. Gives what failed, a line each. */
export async function* runResourcePlan(
  { plan, start, begun = unchangedStatus }: ResourcePlanRun,
  statusStore: SummaryStatusStore,
  { cluster }: AddonContext,
  { signal, timeoutMs }: AddonOptions,
): AsyncGenerator<Progress, readonly string[]> {
  const failures: string[] = [];
  const record = (action: RecordAction, abort: AbortSignal) => recordStep(action, { plan, start, begun }, statusStore, abort);
  yield { type: "planned", plan };
  for await (const event of runPlan(
    plan,
    { cluster, manager: fieldManager, record },
    { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  )) {
    if (event.type === "done" && event.status === "stopped") signal.throwIfAborted();
    if (event.type === "failed") failures.push(event.verb === "record" ? event.because : `${titleOf(event.ref)}: ${event.because}`);
    // Records are kept in the ClusterSummary, and not in the Secrets that a story of them would name.
    if (event.type === "planned" || event.type === "done" || event.verb !== "record") yield event;
  }
  return failures;
}

/** The end is written with the rest of the status, by whoever knows how all came out. */
async function recordStep(
  { state, hook }: RecordAction,
  undertaking: ResourcePlanRun,
  statusStore: SummaryStatusStore,
  signal: AbortSignal,
): Promise<void> {
  const { plan, start, begun = unchangedStatus } = undertaking;
  if (start === undefined) return;
  const release = statusStore.featureRelease("Resources") ?? start.release;
  if (hook !== undefined)
    return statusStore.update(withRelease(withHook(release, hook.ref, hookEventOf(plan.operation, hook.stage), statusStore.now())), signal);
  if (state === "failed") return statusStore.update(withRelease({ ...release, state }), signal);
  if (state !== "deployed" && state !== "uninstalled") return statusStore.update(combineChanges(begun, withRelease(start.release)), signal);
}

/** All is applied: what is deployed is written down, and the feature is Provisioned once its checks say so. */
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

/** In the order in which they were written, each once. */
export function uniqueRefsOf(profileManifests: DesiredResources["manifests"]): DesiredResources["manifests"][number]["ref"][] {
  return [...new Map(profileManifests.map(({ ref }) => [keyOf(ref), ref])).values()];
}
