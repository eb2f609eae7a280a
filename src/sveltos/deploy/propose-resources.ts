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
import { isOwnedBy, objectionByTier, type TierConflict } from "./tier-conflict.ts";

/** What deploying would come to, settled before anything is touched. */
export type ResourceProposal = {
  readonly plan: Plan;
  /** How the record begins; undefined where the content is what is deployed already, and no hook is to hear of it. */
  readonly start: ReleaseStart | undefined;
  readonly conflicts: readonly TierConflict[];
  /** Namespaces that are made first. */
  readonly missingNamespaces: readonly string[];
  /** What is wanted and part of the plan, with what the cluster says of it. */
  readonly desired: readonly Ordered<DesiredManifest>[];
  readonly previous: readonly Ordered<DesiredManifest>[];
  readonly found: LiveState;
};

export type ProposeResourcesOptions = {
  readonly signal: AbortSignal;
  readonly local: OwnerReference | undefined;
  /** Nothing was deployed before, whatever is written down by now. Default: what is written down counts. */
  readonly isFirst?: boolean;
  /** Every dry run takes fields over, so that what would be can be shown. Default: only as far as it has to be known. */
  readonly inFull?: boolean;
  /** Only these are brought back, whatever else there is; nothing leaves and no hook runs. By `keyOf`. Default: all. */
  readonly only?: ReadonlySet<string>;
};

/** Settles the deploy of a profile's content. What cannot work is thrown, all at once; conflicts by tier are told. */
export async function proposeResources(
  desiredResources: DesiredResources,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: ProposeResourcesOptions,
): Promise<ResourceProposal> {
  const { cluster } = context;
  const { signal, local, only, inFull = false, isFirst = false } = options;
  const before = isFirst ? undefined : statusStore.featureRelease("Resources");
  const isKnown = only !== undefined || (before?.state === "deployed" && before.hash === desiredResources.contentHash);
  const past = only === undefined && !isFirst ? await readPreviousObjects(statusStore, scope.owner, cluster, options) : [];
  const start = isKnown ? undefined : releaseStartOf(desiredResources, before, past);
  const operation = start?.operation ?? "upgrade";

  const manifests = desiredResources.manifests.map((piece) => ownedManifest(piece, scope, local));
  const coming = desiredResources.manifests.filter(({ skipNamespaceCreation }) => !skipNamespaceCreation).map(({ ref }) => ref.namespace);
  const { items } = await prepare(manifests, cluster, { signal, namespace: contentNamespace, comingNamespaces: coming });
  const wanted = items.filter(
    ({ ref, constraints }) =>
      takesPart(constraints, operation) && (start !== undefined || !constraints.hook) && (only?.has(keyOf(ref)) ?? true),
  );
  const orderedPrevious = await orderPrevious(past, cluster);
  const found = await readLive(surveyedOf(wanted, orderedPrevious), cluster, { signal, manager: fieldManager, force: inFull });

  const lost = conflictsIn(wanted, desiredResources.manifests, scope, found);
  const conflicts = [...(only === undefined ? desiredResources.conflicts : []), ...lost];
  const disputed = new Set(lost.map(({ ref }) => keyOf(ref)));
  const finished = finishedJobs(desiredResources.manifests, before, found);
  const desired = wanted.filter(({ ref }) => !finished.has(keyOf(ref)) && !disputed.has(keyOf(ref))).map(desiredOf);
  // What is disputed makes the deploy fail, and a deploy that fails removes nothing.
  const previous = conflicts.length > 0 ? [] : orderedPrevious.filter(({ ref }) => isStillOwn(keyOf(ref), found, scope));
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
  return { plan: planOrThrow(input), start, conflicts, missingNamespaces: lackingNow, desired, previous, found };
}

function recordsFor(
  start: ReleaseStart | undefined,
  { summary }: ClusterSummaryScope,
  desired: readonly Ordered<DesiredManifest>[],
  operation: Operation,
): Partial<PlanInput> {
  if (start === undefined) return {};
  const { release, carriedOn } = start;
  return {
    release: { name: summary.metadata.name, namespace: contentNamespace, revision: release.revision },
    ...(carriedOn ? { hooksDone: succeededHooks(release, desired, operation) } : {}),
  };
}

function surveyedOf(wanted: readonly PreparedManifest[], orderedPrevious: readonly Ordered<DesiredManifest>[]): readonly LiveQuery[] {
  const keys = new Set(wanted.map(({ ref }) => keyOf(ref)));
  return [
    ...wanted.filter(({ pending }) => !pending).map((item) => liveQueryOf(desiredOf(item))),
    ...orderedPrevious.filter(({ ref, constraints }) => !constraints.hook && !keys.has(keyOf(ref))).map(({ ref }) => ({ ref })),
  ];
}

function conflictsIn(
  wanted: readonly PreparedManifest[],
  profileManifests: readonly ProfileManifest[],
  { owner }: ClusterSummaryScope,
  found: LiveState,
): readonly TierConflict[] {
  const pieces = new Map(profileManifests.map((piece) => [keyOf(piece.ref), piece]));
  return wanted.flatMap(({ ref }) => {
    const live = found.objects.get(keyOf(ref))?.live;
    const message = live === undefined ? undefined : objectionByTier(live, owner);
    const piece = pieces.get(keyOf(ref));
    return message === undefined || piece === undefined ? [] : [{ ref, manifest: piece, message }];
  });
}

/** Somebody else's by now, or nobody's: not ours to remove. */
function isStillOwn(key: string, { objects }: LiveState, { owner }: ClusterSummaryScope): boolean {
  const live = objects.get(key)?.live;
  return live === undefined || isOwnedBy(live, owner);
}

/** Jobs that have done their work and are gone because their time was over: they are not run once more. */
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

/** Tells whether anybody wrote something about order: then all is waited for, and otherwise nothing is, as in Sveltos. */
function isOrdered(manifests: readonly LocatedManifest[], items: readonly PreparedManifest[]): boolean {
  const plain = manifests.map((manifest): LocatedManifest => {
    const { annotations: _annotations, ...metadata } = manifest.object.metadata;
    return { ...manifest, object: { ...manifest.object, metadata } };
  });
  const unsaid = new Map(
    order(plain, { namespace: contentNamespace }).ordered.map(({ ref, constraints }) => [keyOf(ref), placeIn(constraints)]),
  );
  return items.some(({ ref, constraints }) => !equal(placeIn(constraints), unsaid.get(keyOf(ref)) ?? placeIn(constraints)));
}

function placeIn({ stages, hook, rank, gates, needs, barrier, deletion, waitForKind }: OrderingConstraints): unknown {
  return { stages, hook, rank, gates, needs: needs.filter(({ implied }) => implied !== true), barrier, deletion, waitForKind };
}
