import { driftIgnoreAnnotation, featureIds, type FeatureId } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { keyOf, titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { Progress } from "../../release/index.ts";
import { summaryScopeOf } from "./cluster-summary-scope.ts";
import { chartDrift, repairChart } from "./charts/chart-drift.ts";
import { localOwner, readContentRendering, readDesiredResources } from "./desired-resources.ts";
import { SummaryStatusStore } from "./summary-status-store.ts";
import { finishedJobs, proposeResources, type ResourceProposal } from "./propose-resources.ts";
import type { AddonOptions, AddonRequest, AddonContext, AddonProgress } from "./addon-request.ts";
import { guardedObjectsOf, ResourceGuard } from "./resource-guard.ts";
import { runResourcePlan } from "./run-resource-plan.ts";
import { markFailed } from "./status-change.ts";

type DriftOptions = AddonOptions & {
  /** Compares only these objects. Default: all that the profile has deployed. */
  readonly among?: readonly ObjectRef[];
};

/**
 * The objects that have drifted: fields of the profile have changed, or the object is gone. Fields of others, objects with the
 * ignore annotation, Jobs that were deleted after their TTL and objects of other profiles are no drift.
 */
export async function readDrift(request: AddonRequest, context: AddonContext, options: DriftOptions): Promise<readonly ObjectRef[]> {
  const statusStore = new SummaryStatusStore(request.summary, context.hub);
  const { refs } = await resourceDrift(request, statusStore, context, options);
  const charts = await chartDrift(statusStore, context, { signal: options.signal, among: keysOf(options.among) });
  return [...refs, ...charts.flatMap((drift) => drift.refs)];
}

/**
 * Applies the drifted objects again, and nothing else: no hook runs, and no release gets a new revision. Content that cannot be
 * read is thrown: `deployProfile` writes it to the status.
 */
export async function* repairDrift(request: AddonRequest, context: AddonContext, options: DriftOptions): AsyncGenerator<AddonProgress> {
  const statusStore = new SummaryStatusStore(request.summary, context.hub);
  const { signal } = options;
  const failures = new Map<FeatureId, string[]>();
  for await (const repaired of repairFeatures(request, statusStore, context, options)) {
    const { event, feature } = repaired;
    if (event.type === "failed") failures.set(feature, [...(failures.get(feature) ?? []), `${titleOf(event.ref)}: ${event.because}`]);
    yield { type: "progress", ...repaired };
  }
  for (const [feature, lines] of failures) await statusStore.update(markFailed(feature, lines.join("\n"), false), signal);
  const { summary, status } = statusStore;
  const settled = failures.size === 0;
  yield {
    type: "settled",
    outcome: {
      summary,
      status,
      settled,
      final: false,
      features: [],
      keptFeatures: featureIds,
      displaced: [],
      unserved: [],
      report: undefined,
    },
  };
}

type FeatureProgress = { readonly feature: FeatureId; readonly event: Progress };

async function* repairFeatures(
  request: AddonRequest,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: DriftOptions,
): AsyncGenerator<FeatureProgress> {
  const { refs, proposalFor } = await resourceDrift(request, statusStore, context, options);
  if (refs.length > 0) {
    const proposal = await proposalFor(refs);
    const guard = new ResourceGuard(guardedObjectsOf(proposal.found, proposal.desired), summaryScopeOf(request), context, options.signal);
    for await (const event of runResourcePlan({ ...proposal, guard, isRepair: true }, statusStore, context, options))
      yield { feature: "Resources", event };
  }
  for (const drift of await chartDrift(statusStore, context, { signal: options.signal, among: keysOf(options.among) }))
    for await (const event of repairChart(drift, context, options.signal)) yield { feature: "Helm", event };
}

function keysOf(refs: readonly ObjectRef[] | undefined): ReadonlySet<string> | undefined {
  return refs === undefined ? undefined : new Set(refs.map(keyOf));
}

type Drift = { readonly refs: readonly ObjectRef[]; readonly proposalFor: (refs: readonly ObjectRef[]) => Promise<ResourceProposal> };

async function resourceDrift(
  request: AddonRequest,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: DriftOptions,
): Promise<Drift> {
  const scope = summaryScopeOf(request);
  const release = statusStore.featureRelease("Resources");
  if (release?.state !== "deployed")
    return { refs: [], proposalFor: () => Promise.reject(new Fault("repair drift", "nothing is deployed")) };
  const rendering = await readContentRendering(scope, context, options);
  const desiredResources = await readDesiredResources(scope, rendering, context, options);
  const local = await localOwner(scope, context.cluster, options);
  const among = keysOf(options.among);
  const watched = desiredResources.manifests.filter(
    ({ ref, object }) => object.metadata.annotations?.[driftIgnoreAnnotation] === undefined && (among?.has(keyOf(ref)) ?? true),
  );
  const proposalFor = (refs: readonly ObjectRef[]) =>
    proposeResources(desiredResources, scope, statusStore, context, {
      signal: options.signal,
      local,
      only: new Set(refs.map(keyOf)),
      inFull: true,
    });
  // New content is deployed by `deployProfile`.
  if (release.hash !== desiredResources.contentHash || watched.length === 0) return { refs: [], proposalFor };
  const { found, desired } = await proposalFor(watched.map(({ ref }) => ref));
  const finished = finishedJobs(desiredResources.manifests, release, found);
  const refs = desired
    .map(({ ref }) => ref)
    .filter((ref) => !finished.has(keyOf(ref)) && found.facts.get(keyOf(ref))?.dryRun?.outcome !== "unchanged");
  return { refs, proposalFor };
}
