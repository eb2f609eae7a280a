import type { ClusterReportStatus, FeatureId, ProfileSpec } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { GroupVersionKind } from "../../core/object/index.ts";
import type { Story } from "../../release/index.ts";
import { Channel } from "../../release/track/index.ts";
import { assignmentOf } from "./assignment.ts";
import { deployCharts } from "./charts/deploy.ts";
import { rehearseCharts } from "./charts/dry-run.ts";
import { ReleaseConflict } from "./charts/rival.ts";
import { withdrawCharts } from "./charts/withdraw.ts";
import type { Making } from "./content.ts";
import { makingFor } from "./desire.ts";
import { Disputed } from "./disputed.ts";
import { rehearseResources } from "./dry-run.ts";
import { Ledger, Superseded } from "./ledger.ts";
import { MissingReference, UnservedKinds } from "./missing.ts";
import type { AddonOptions, AddonRequest, AddonSite, AddonStory, Assignment, Outcome } from "./request.ts";
import { deployResources, type FeatureResult } from "./resources.ts";
import { all, failed, unchanged, withGvks, type Change } from "./status.ts";
import { withdrawResources } from "./withdraw.ts";

/** How one feature came out. */
type Ending = FeatureResult & {
  readonly report?: ClusterReportStatus;
  readonly final: boolean;
  readonly unserved?: readonly GroupVersionKind[];
};
type Work = AsyncGenerator<Story, Omit<Ending, "final" | "unserved">>;

/**
 * Brings a profile's content into a cluster, as the ClusterSummary asks for it, and keeps its status. Whatever goes wrong
 * with the content or the cluster ends in that status and not in a throw; thrown is what only its caller can deal with: an
 * abort, a ClusterSummary that has changed, a management cluster that does not answer.
 */
export async function* deploy(request: AddonRequest, site: AddonSite, options: AddonOptions): AsyncGenerator<AddonStory> {
  const assignment = readable(request);
  if (assignment instanceof Fault) return yield* refused(assignment, new Ledger(request.summary, site.hub), options);
  const ledger = new Ledger(request.summary, site.hub, standingOf(request));
  const endings = yield* together(featuresOf(assignment, ledger), assignment, ledger, site, options);
  await ledger.update(unchanged, options.signal);
  yield { type: "settled", outcome: outcomeOf(endings, ledger, assignment) };
}

/** What is true by deploying at all: nothing speaks against the ClusterSummary, and nothing holds it up. */
function standingOf({ dependencies }: AddonRequest): Change {
  return ({ failureMessage: _objection, reconciliationSuspended: _held, suspensionReason: _because, ...status }) => ({
    ...status,
    ...(dependencies === undefined ? {} : { dependencies }),
  });
}

/** Features do not wait for each other, and the failure of one is not the other's. */
async function* together(
  features: readonly FeatureId[],
  assignment: Assignment,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<AddonStory, readonly Ending[]> {
  const stop = new AbortController();
  const own = { ...options, signal: AbortSignal.any([options.signal, stop.signal]) };
  const story = new Channel<AddonStory>();
  let made: Promise<Making> | undefined;
  const making = () => (made ??= makingFor(assignment, site, own));
  const follow = async (feature: FeatureId): Promise<Ending> => {
    const work = guarded(feature, workOn(feature, assignment, making, ledger, site, own), ledger, own);
    for (;;) {
      const step = await work.next();
      if (step.done === true) return step.value;
      story.put(step.value);
    }
  };
  const endings = Promise.all(features.map(follow));
  endings.then(
    () => story.end(),
    (error: unknown) => story.fail(error),
  );
  try {
    yield* story;
    return await endings;
  } finally {
    stop.abort();
  }
}

function readable(request: AddonRequest): Assignment | Fault {
  try {
    return assignmentOf(request);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** What is not built is said, and nothing is deployed; what is deployed already stays. */
async function* refused(fault: Fault, ledger: Ledger, { signal }: AddonOptions): AsyncGenerator<AddonStory> {
  await ledger.update((status) => ({ ...status, failureMessage: fault.message }), signal);
  const { summary, status } = ledger;
  yield {
    type: "settled",
    outcome: { summary, status, settled: false, final: true, features: undefined, displaced: [], unserved: [], report: undefined },
  };
}

/** The features that the profile has, or of which something may be left. */
function featuresOf({ summary: { profile } }: Assignment, ledger: Ledger): readonly FeatureId[] {
  const has = (feature: FeatureId) => ledger.summaryOf(feature) !== undefined || ledger.releaseOf(feature) !== undefined;
  const features: readonly (readonly [FeatureId, boolean])[] = [
    ["Resources", profile.policyRefs.length > 0 || has("Resources")],
    ["Helm", profile.helmCharts.length > 0 || has("Helm") || (ledger.status.helmReleaseSummaries ?? []).length > 0],
  ];
  return features.flatMap(([feature, isThere]) => (isThere ? [feature] : []));
}

async function* workOn(
  feature: FeatureId,
  assignment: Assignment,
  making: () => Promise<Making>,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): Work {
  const { profile } = assignment.summary;
  if (profile.syncMode === "OneTime" && ledger.summaryOf(feature)?.status === "Provisioned") return { feature: undefined, failed: false };
  const { wanted, bring, rehearse, withdraw } = feature === "Helm" ? helm(profile) : resources(profile);
  if (wanted === 0 && profile.syncMode !== "DryRun") return yield* withdraw(assignment, ledger, site, options);
  if (profile.syncMode === "DryRun") return rehearse(assignment, await making(), ledger, site, options);
  return yield* bring(assignment, await making(), ledger, site, options);
}

/** The features differ in where their manifests come from. */
function helm({ helmCharts }: ProfileSpec) {
  return { wanted: helmCharts.length, bring: deployCharts, rehearse: rehearseCharts, withdraw: withdrawCharts } as const;
}

function resources({ policyRefs }: ProfileSpec) {
  return { wanted: policyRefs.length, bring: deployResources, rehearse: rehearseResources, withdraw: withdrawResources } as const;
}

async function* guarded(feature: FeatureId, work: Work, ledger: Ledger, { signal }: AddonOptions): AsyncGenerator<AddonStory, Ending> {
  try {
    for (;;) {
      const step = await work.next();
      if (step.done === true) return { ...step.value, final: false };
      yield { type: "progress", feature, event: step.value };
    }
  } catch (error) {
    if (signal.aborted || error instanceof Superseded || !(error instanceof Fault)) throw error;
    const isDisputed = error instanceof Disputed;
    const gvks = isDisputed && error.refs.length > 0 ? withGvks(feature, error.refs) : unchanged;
    await ledger.update(all(failed(feature, error.message, isForOthers(error)), gvks), signal);
    const deployed = isDisputed ? error.feature : undefined;
    return { feature: deployed, failed: true, final: error.final, unserved: error instanceof UnservedKinds ? error.kinds : [] };
  } finally {
    await work.return({ feature: undefined, failed: true });
  }
}

/** What is wrong is elsewhere: trying again is of no use until that changes. Sveltos calls it FailedNonRetriable. */
function isForOthers(error: Fault): boolean {
  return error instanceof MissingReference || error instanceof ReleaseConflict;
}

function outcomeOf(endings: readonly Ending[], ledger: Ledger, { summary: { profile } }: Assignment): Outcome {
  const isDryRun = profile.syncMode === "DryRun";
  const features = endings.flatMap(({ feature }) => (feature === undefined ? [] : [feature]));
  const report = endings.reduce<ClusterReportStatus>((all, each) => ({ ...all, ...each.report }), {});
  return {
    summary: ledger.summary,
    status: ledger.status,
    settled: endings.every((each) => !each.failed),
    final: endings.some((each) => each.final),
    features: features.length < endings.length ? undefined : features,
    displaced: endings.flatMap(({ displaced = [] }) => displaced),
    unserved: endings.flatMap(({ unserved = [] }) => unserved),
    report: isDryRun ? report : undefined,
  };
}
