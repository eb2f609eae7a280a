import { featureIds, type ClusterReportStatus, type ClusterSummaryStatus, type FeatureId, type ProfileSpec } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import type { Progress } from "../../release/index.ts";
import { Channel } from "../../release/track/index.ts";
import { failureText } from "./failure-text.ts";
import { summaryScopeOf } from "./cluster-summary-scope.ts";
import { deployCharts } from "./charts/deploy-charts.ts";
import { dryRunCharts } from "./charts/dry-run-charts.ts";
import { ReleaseConflict } from "./charts/release-conflict.ts";
import { withdrawCharts } from "./charts/withdraw-charts.ts";
import type { ContentRendering } from "./read-content.ts";
import { readContentRendering } from "./desired-resources.ts";
import { hasLostObjects } from "./lost-objects.ts";
import { ResourceConflict } from "./resource-conflict.ts";
import { dryRunResources } from "./dry-run-resources.ts";
import { SummaryStatusStore, Superseded } from "./summary-status-store.ts";
import { MissingReference, UnservedKinds } from "./missing-reference.ts";
import type { AddonOptions, AddonRequest, AddonContext, AddonProgress, ClusterSummaryScope, AddonOutcome } from "./addon-request.ts";
import { deployResources } from "./deploy-resources.ts";
import type { FeatureResult } from "./feature-result.ts";
import { combineChanges, markFailed, observed, resetFeatures, unchangedStatus, withGvks, type StatusChange } from "./status-change.ts";
import { withdrawResources } from "./withdraw-resources.ts";

/** The outcome of one feature. */
type FeatureOutcome = FeatureResult & {
  readonly id: FeatureId;
  readonly report?: ClusterReportStatus;
  readonly final: boolean;
  readonly unserved?: readonly GroupVersionKind[];
};
type Work = AsyncGenerator<Progress, Omit<FeatureOutcome, "id" | "final" | "unserved">>;

/**
 * Deploys the content of a profile to a cluster and writes the status of its ClusterSummary. Failures of the content or the
 * cluster end in that status. Only what the caller has to handle is thrown: an abort, a superseded ClusterSummary, a
 * management cluster that does not answer.
 */
export async function* deployProfile(request: AddonRequest, context: AddonContext, options: AddonOptions): AsyncGenerator<AddonProgress> {
  const scope = readScope(request);
  if (scope instanceof Fault) return yield* refuse(scope, new SummaryStatusStore(request.summary, context.hub), options);
  const open = new Set<FeatureId>();
  const statusStore = new SummaryStatusStore(request.summary, context.hub, baseStatusChange(request, context, open));
  if (await hasLostObjects(scope, statusStore, context, options)) await statusStore.update(resetFeatures, options.signal);
  for (const feature of featuresOf(scope, statusStore)) open.add(feature);
  const outcomes = yield* deployFeatures(open, scope, statusStore, context, options);
  await statusStore.update(observed(request.summary), options.signal);
  yield { type: "settled", outcome: outcomeOf(outcomes, statusStore, scope) };
}

/**
 * Clears the fields that do not hold while a ClusterSummary is deployed: it is neither refused nor suspended. The write that
 * settles the last open feature says so of the whole, which saves a write of its own.
 */
function baseStatusChange(
  { summary, dependencies }: AddonRequest,
  { clusterUid }: AddonContext,
  open: ReadonlySet<FeatureId>,
): StatusChange {
  return ({ failureMessage: _objection, reconciliationSuspended: _held, suspensionReason: _because, ...status }) => {
    const about = clusterUid === undefined ? status : { ...status, clusterUID: clusterUid };
    const changed = dependencies === undefined ? about : { ...about, dependencies };
    return open.size === 1 && isSettled(changed, open) ? observed(summary)(changed) : changed;
  };
}

function isSettled({ featureSummaries = [] }: ClusterSummaryStatus, features: ReadonlySet<FeatureId>): boolean {
  const stateOf = (feature: FeatureId) => featureSummaries.find(({ featureID }) => featureID === feature)?.status ?? "Provisioning";
  return [...features].every((feature) => ["Provisioned", "Failed", "FailedNonRetriable"].includes(stateOf(feature)));
}

/** Deploys features concurrently, and removes from the set those that have ended. The failure of one does not stop the other. */
async function* deployFeatures(
  open: Set<FeatureId>,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<AddonProgress, readonly FeatureOutcome[]> {
  const stop = new AbortController();
  const own = { ...options, signal: AbortSignal.any([options.signal, stop.signal]) };
  const progress = new Channel<AddonProgress>();
  let rendered: Promise<ContentRendering> | undefined;
  const rendering = () => (rendered ??= readContentRendering(scope, context, own));
  const deployOne = async (feature: FeatureId): Promise<FeatureOutcome> => {
    const work = recordingFailure(feature, deployFeature(feature, scope, rendering, statusStore, context, own), statusStore, {
      ...own,
      describe: failureText(context, scope),
    });
    for (;;) {
      const step = await work.next();
      if (step.done === true) {
        open.delete(feature);
        return step.value;
      }
      progress.put(step.value);
    }
  };
  const outcomes = Promise.all([...open].map(deployOne));
  outcomes.then(
    () => progress.end(),
    (error: unknown) => progress.fail(error),
  );
  try {
    yield* progress;
    return await outcomes;
  } finally {
    stop.abort();
  }
}

function readScope(request: AddonRequest): ClusterSummaryScope | Fault {
  try {
    return summaryScopeOf(request);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Writes why a ClusterSummary is refused. What is deployed stays. */
async function* refuse(fault: Fault, statusStore: SummaryStatusStore, { signal }: AddonOptions): AsyncGenerator<AddonProgress> {
  const refused = (status: ClusterSummaryStatus) => ({ ...status, failureMessage: fault.message });
  await statusStore.update(combineChanges(refused, observed(statusStore.summary)), signal);
  const { summary, status } = statusStore;
  yield {
    type: "settled",
    outcome: {
      summary,
      status,
      settled: false,
      final: true,
      features: [],
      keptFeatures: featureIds,
      displaced: [],
      unserved: [],
      report: undefined,
    },
  };
}

/** The features that the profile has, or has had. */
function featuresOf({ summary: { profile } }: ClusterSummaryScope, statusStore: SummaryStatusStore): readonly FeatureId[] {
  const has = (feature: FeatureId) =>
    statusStore.featureSummary(feature) !== undefined || statusStore.featureRelease(feature) !== undefined;
  const features: readonly (readonly [FeatureId, boolean])[] = [
    ["Resources", profile.policyRefs.length > 0 || has("Resources")],
    ["Helm", profile.helmCharts.length > 0 || has("Helm") || (statusStore.status.helmReleaseSummaries ?? []).length > 0],
  ];
  return features.flatMap(([feature, isPresent]) => (isPresent ? [feature] : []));
}

async function* deployFeature(
  feature: FeatureId,
  scope: ClusterSummaryScope,
  rendering: () => Promise<ContentRendering>,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): Work {
  const { profile } = scope.summary;
  if (profile.syncMode === "OneTime" && statusStore.featureSummary(feature)?.status === "Provisioned")
    return { feature: undefined, failed: false };
  const { count, deploy, dryRun, withdraw } = feature === "Helm" ? helm(profile) : resources(profile);
  if (count === 0 && profile.syncMode !== "DryRun") return yield* withdraw(scope, statusStore, context, options);
  if (profile.syncMode === "DryRun") return dryRun(scope, await rendering(), statusStore, context, options);
  return yield* deploy(scope, await rendering(), statusStore, context, options);
}

/** The features differ in where their manifests come from. */
function helm({ helmCharts }: ProfileSpec) {
  return { count: helmCharts.length, deploy: deployCharts, dryRun: dryRunCharts, withdraw: withdrawCharts } as const;
}

function resources({ policyRefs }: ProfileSpec) {
  return { count: policyRefs.length, deploy: deployResources, dryRun: dryRunResources, withdraw: withdrawResources } as const;
}

type RecordOptions = { readonly signal: AbortSignal; readonly describe: (fault: Fault) => string };

async function* recordingFailure(
  feature: FeatureId,
  work: Work,
  statusStore: SummaryStatusStore,
  { signal, describe }: RecordOptions,
): AsyncGenerator<AddonProgress, FeatureOutcome> {
  try {
    for (;;) {
      const step = await work.next();
      if (step.done === true) return await recordResult(feature, step.value, statusStore, { signal, describe });
      yield { type: "progress", feature, event: step.value };
    }
  } catch (error) {
    if (signal.aborted || error instanceof Superseded || !(error instanceof Fault)) throw error;
    const isConflict = error instanceof ResourceConflict;
    const gvks = isConflict && error.refs.length > 0 ? withGvks(feature, error.refs) : unchangedStatus;
    const { feature: deployed, displaced } = isConflict ? error : { feature: undefined, displaced: [] };
    return recordFault(feature, { fault: error, feature: deployed, displaced, gvks }, statusStore, { signal, describe });
  } finally {
    await work.return({ feature: undefined, failed: true });
  }
}

/** Records the fault of a feature that is deployed in part. */
async function recordResult(
  id: FeatureId,
  { fault, ...result }: Omit<FeatureOutcome, "id" | "final" | "unserved">,
  statusStore: SummaryStatusStore,
  options: RecordOptions,
): Promise<FeatureOutcome> {
  if (fault === undefined) return { ...result, id, final: false };
  return recordFault(
    id,
    { fault, feature: result.feature, displaced: result.displaced ?? [], gvks: unchangedStatus },
    statusStore,
    options,
  );
}

async function recordFault(
  id: FeatureId,
  { fault, feature, displaced, gvks }: Required<Pick<FeatureResult, "fault" | "feature" | "displaced">> & { readonly gvks: StatusChange },
  statusStore: SummaryStatusStore,
  { signal, describe }: RecordOptions,
): Promise<FeatureOutcome> {
  await statusStore.update(combineChanges(markFailed(id, describe(fault), isNonRetriable(fault)), gvks), signal);
  return { id, feature, displaced, failed: true, final: fault.final, unserved: fault instanceof UnservedKinds ? fault.kinds : [] };
}

/** Another object has to change first. Sveltos calls it FailedNonRetriable. */
function isNonRetriable(error: Fault): boolean {
  return error instanceof MissingReference || error instanceof ReleaseConflict;
}

function outcomeOf(
  outcomes: readonly FeatureOutcome[],
  statusStore: SummaryStatusStore,
  { summary: { profile } }: ClusterSummaryScope,
): AddonOutcome {
  const isDryRun = profile.syncMode === "DryRun";
  const report = outcomes.reduce<ClusterReportStatus>((all, each) => ({ ...all, ...each.report }), {});
  return {
    summary: statusStore.summary,
    status: statusStore.status,
    settled: outcomes.every((each) => !each.failed),
    final: isFinal(outcomes),
    features: outcomes.flatMap(({ feature }) => (feature === undefined ? [] : [feature])),
    keptFeatures: outcomes.flatMap(({ id, feature }) => (feature === undefined ? [id] : [])),
    displaced: outcomes.flatMap(({ displaced = [] }) => displaced),
    unserved: outcomes.flatMap(({ unserved = [] }) => unserved),
    report: isDryRun ? report : undefined,
  };
}

/** A retry cannot help any of the features that have failed. */
function isFinal(outcomes: readonly FeatureOutcome[]): boolean {
  const failed = outcomes.filter((each) => each.failed);
  return failed.length > 0 && failed.every((each) => each.final);
}
