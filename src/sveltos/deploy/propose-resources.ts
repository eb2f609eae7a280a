import { contentHash, fieldManager, type FeatureRelease } from "../api/index.ts";
import { equal, keyOf, numberAt, type OwnerReference } from "../../core/object/index.ts";
import { desiredOf, liveQueryOf, planOrThrow, prepare, type PreparedManifest } from "../../release/prepare/index.ts";
import { order, type OrderingConstraints, type Operation, type Ordered } from "../../release/order/index.ts";
import { takesPart, type Plan, type PlanInput, type DesiredManifest } from "../../release/plan/index.ts";
import { readLive, type LiveState, type LiveQuery } from "../../release/live/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import { ownedManifest, type DesiredResources } from "./desired-resources.ts";
import { appliedHashesIn, readPreviousObjects, orderPrevious } from "./previous-objects.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import { readMissingNamespaces } from "./missing-namespaces.ts";
import { contentNamespace, type ProfileManifest } from "./profile-manifest.ts";
import { releaseStartOf, succeededHooks, type ReleaseStart } from "./release-record.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import type { HandOver } from "./hand-over.ts";
import { objectionToTakeOver } from "./object-owner.ts";
import { splitDeployed } from "./split-deployed.ts";
import type { TierConflict } from "./tier-conflict.ts";

/** The plan of a deploy and what it was computed from. Nothing is written yet. */
export type ResourceProposal = {
  readonly plan: Plan;
  /** The new record; undefined when the content is deployed already, so that no hook runs. */
  readonly start: ReleaseStart | undefined;
  readonly conflicts: readonly TierConflict[];
  /** Namespaces to create before the plan runs. */
  readonly missingNamespaces: readonly string[];
  /** The desired manifests of the plan. */
  readonly desired: readonly Ordered<DesiredManifest>[];
  readonly previous: readonly Ordered<DesiredManifest>[];
  /** Objects that leave the content and that other profiles want. */
  readonly handOvers: readonly HandOver[];
  readonly found: LiveState;
};

type ProposeResourcesOptions = {
  readonly signal: AbortSignal;
  readonly local: OwnerReference | undefined;
  /** Nothing was deployed before; a record in the status is of this deploy. Default false. */
  readonly isFirst?: boolean;
  /** Reads nothing and makes no dry run, as if nothing of it were in the cluster yet. Default false. */
  readonly assumeNew?: boolean;
  /** Dry runs force conflicts, so that their results can be shown. Default false. */
  readonly inFull?: boolean;
  /** Applies only these, by `keyOf`; prunes nothing and runs no hooks. Default: all. */
  readonly only?: ReadonlySet<string>;
};

/** Plans the deploy of a profile's content. Throws all problems at once; conflicts by tier are part of the result. */
export async function proposeResources(
  desiredResources: DesiredResources,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: ProposeResourcesOptions,
): Promise<ResourceProposal> {
  const { cluster } = context;
  const { signal, local, only, inFull = false, isFirst = false, assumeNew = false } = options;
  const before = isFirst ? undefined : statusStore.featureRelease("Resources");
  const isKnown = only !== undefined || (before?.state === "deployed" && before.hash === desiredResources.contentHash);
  const past = only === undefined && !isFirst ? await readPreviousObjects(statusStore, scope.owner, context, options) : [];
  const start = isKnown ? undefined : releaseStartOf(desiredResources, before, past);
  const operation = start?.operation ?? "upgrade";

  const manifests = desiredResources.manifests.map((profileManifest) => ownedManifest(profileManifest, scope, local));
  const coming = desiredResources.manifests.filter(({ skipNamespaceCreation }) => !skipNamespaceCreation).map(({ ref }) => ref.namespace);
  const { items } = await prepare(manifests, cluster, {
    signal,
    namespace: contentNamespace,
    comingNamespaces: coming,
    assumeNamespaces: assumeNew,
  });
  const wanted = items.filter(
    ({ ref, constraints }) =>
      takesPart(constraints, operation) && (start !== undefined || !constraints.hook) && (only?.has(keyOf(ref)) ?? true),
  );
  const orderedPrevious = await orderPrevious(past, cluster);
  const queries = assumeNew ? [] : liveQueriesOf(wanted, orderedPrevious);
  const found = await readLive(queries, cluster, { signal, manager: fieldManager, force: inFull });

  const lost = await readConflicts(wanted, desiredResources.manifests, scope, found, context, { signal });
  const conflicts = [...(only === undefined ? desiredResources.conflicts : []), ...lost];
  const disputed = new Set(lost.map(({ ref }) => keyOf(ref)));
  const finished = finishedJobs(desiredResources.manifests, before, found);
  const desired = wanted.filter(({ ref }) => !finished.has(keyOf(ref)) && !disputed.has(keyOf(ref))).map(desiredOf);
  // Conflicts make the deploy fail, and a failed deploy prunes nothing.
  const keys = new Set(items.map(({ ref }) => keyOf(ref)));
  const left = new Set(orderedPrevious.filter(({ ref, constraints }) => !constraints.hook && !keys.has(keyOf(ref))));
  const { removed, handOvers } = await splitDeployed(conflicts.length > 0 ? [] : [...left], found, scope, context, { signal });
  const previous = conflicts.length > 0 ? [] : orderedPrevious.filter((each) => !left.has(each) || removed.has(each));
  const input: PlanInput = {
    operation,
    desired,
    previous,
    live: found.facts,
    options: {
      wait: only === undefined && isOrdered(manifests, items) ? "all" : "none",
      force: true,
      takeOwnership: true,
      deleteData: true,
    },
    ...recordsFor(start, scope, desired, operation),
  };
  const lackingNow = await readMissingNamespaces(items, new Set(coming), cluster, { signal });
  return { plan: planOrThrow(input), start, conflicts, missingNamespaces: lackingNow, desired, previous, handOvers, found };
}

function recordsFor(
  start: ReleaseStart | undefined,
  { summary }: ClusterSummaryScope,
  desired: readonly Ordered<DesiredManifest>[],
  operation: Operation,
): Partial<PlanInput> {
  if (start === undefined) return {};
  const { release, isContinued } = start;
  return {
    release: { name: summary.metadata.name, namespace: contentNamespace, revision: release.revision },
    ...(isContinued ? { hooksDone: succeededHooks(release, desired, operation) } : {}),
  };
}

function liveQueriesOf(wanted: readonly PreparedManifest[], orderedPrevious: readonly Ordered<DesiredManifest>[]): readonly LiveQuery[] {
  const keys = new Set(wanted.map(({ ref }) => keyOf(ref)));
  return [
    ...wanted.filter(({ pending }) => !pending).map((item) => liveQueryOf(desiredOf(item))),
    ...orderedPrevious.filter(({ ref, constraints }) => !constraints.hook && !keys.has(keyOf(ref))).map(({ ref }) => ({ ref })),
  ];
}

async function readConflicts(
  wanted: readonly PreparedManifest[],
  profileManifests: readonly ProfileManifest[],
  scope: ClusterSummaryScope,
  found: LiveState,
  context: AddonContext,
  options: { readonly signal: AbortSignal },
): Promise<readonly TierConflict[]> {
  const byKey = new Map(profileManifests.map((profileManifest) => [keyOf(profileManifest.ref), profileManifest]));
  const conflicts = wanted.map(async ({ ref }): Promise<readonly TierConflict[]> => {
    const live = found.objects.get(keyOf(ref))?.live;
    const manifest = byKey.get(keyOf(ref));
    const message = live === undefined ? undefined : await objectionToTakeOver(live, scope, context, options);
    return message === undefined || manifest === undefined ? [] : [{ ref, manifest, message }];
  });
  return (await Promise.all(conflicts)).flat();
}

/** Jobs that were applied and deleted after their TTL. They must not run again. */
export function finishedJobs(
  profileManifests: readonly ProfileManifest[],
  before: FeatureRelease | undefined,
  { objects }: LiveState,
): ReadonlySet<string> {
  if (before?.state !== "deployed") return new Set();
  const applied = appliedHashesIn(before);
  const gone = profileManifests.filter(
    ({ ref, object }) =>
      ref.group === "batch" &&
      ref.kind === "Job" &&
      numberAt(object, "spec.ttlSecondsAfterFinished") !== undefined &&
      objects.get(keyOf(ref))?.live === undefined &&
      applied.get(keyOf(ref)) === contentHash(object),
  );
  return new Set(gone.map(({ ref }) => keyOf(ref)));
}

/** Whether any annotation sets an order. Then all steps wait for readiness; otherwise none does, as in Sveltos. */
function isOrdered(manifests: readonly LocatedManifest[], items: readonly PreparedManifest[]): boolean {
  const plain = manifests.map((manifest): LocatedManifest => {
    const { annotations: _annotations, ...metadata } = manifest.object.metadata;
    return { ...manifest, object: { ...manifest.object, metadata } };
  });
  const unannotated = new Map(
    order(plain, { namespace: contentNamespace }).ordered.map(({ ref, constraints }) => [keyOf(ref), placeIn(constraints)]),
  );
  return items.some(({ ref, constraints }) => !equal(placeIn(constraints), unannotated.get(keyOf(ref)) ?? placeIn(constraints)));
}

function placeIn({ stages, hook, rank, gates, needs, barrier, deletion, waitForKind }: OrderingConstraints): unknown {
  return { stages, hook, rank, gates, needs: needs.filter(({ implied }) => implied !== true), barrier, deletion, waitForKind };
}
