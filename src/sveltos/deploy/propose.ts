import { contentHash, fieldManager, type FeatureRelease } from "../api/index.ts";
import { BadInput } from "../../core/fault/index.ts";
import { equal, keyOf, numberAt, type OwnerReference } from "../../core/object/index.ts";
import { prepare, type Prepared } from "../../release/apply/index.ts";
import { order, type Claims, type Operation, type Ordered } from "../../release/order/index.ts";
import { plan, takesPart, type Plan, type PlanInput, type Wanted } from "../../release/plan/index.ts";
import { survey, type Survey, type Surveyed } from "../../release/live/index.ts";
import type { Manifest } from "../../lang/yaml/index.ts";
import { markedManifest, type Desire } from "./desire.ts";
import { appliedIn, formerObjects, inOrder } from "./former.ts";
import type { Ledger } from "./ledger.ts";
import { lacking } from "./namespaces.ts";
import { home, type Placed } from "./place.ts";
import { beginningOf, hooksDoneIn, type Beginning } from "./record.ts";
import type { AddonSite, Assignment } from "./request.ts";
import { isOwn, objectionByTier, type Conflict } from "./tier.ts";

/** What deploying would come to, settled before anything is touched. */
export type Proposal = {
  readonly plan: Plan;
  /** How the record begins; undefined where the content is what is deployed already, and no hook is to hear of it. */
  readonly beginning: Beginning | undefined;
  readonly conflicts: readonly Conflict[];
  /** Namespaces that are made first. */
  readonly lacking: readonly string[];
  /** What is wanted and part of the plan, with what the cluster says of it. */
  readonly desired: readonly Ordered<Wanted>[];
  readonly previous: readonly Ordered<Wanted>[];
  readonly found: Survey;
};

export type ProposeOptions = {
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
export async function propose(
  desire: Desire,
  assignment: Assignment,
  ledger: Ledger,
  site: AddonSite,
  options: ProposeOptions,
): Promise<Proposal> {
  const { cluster } = site;
  const { signal, local, only, inFull = false, isFirst = false } = options;
  const before = isFirst ? undefined : ledger.releaseOf("Resources");
  const isKnown = only !== undefined || (before?.state === "deployed" && before.hash === desire.contentHash);
  const past = only === undefined && !isFirst ? await formerObjects(ledger, assignment.owner, cluster, options) : [];
  const beginning = isKnown ? undefined : beginningOf(desire, before, past);
  const operation = beginning?.operation ?? "upgrade";

  const manifests = desire.placed.map((piece) => markedManifest(piece, assignment, local));
  const coming = desire.placed.filter(({ skipNamespaceCreation }) => !skipNamespaceCreation).map(({ ref }) => ref.namespace);
  const { items } = await prepare(manifests, cluster, { signal, namespace: home, comingNamespaces: coming });
  const wanted = items.filter(
    ({ ref, claims }) => takesPart(claims, operation) && (beginning !== undefined || !claims.hook) && (only?.has(keyOf(ref)) ?? true),
  );
  const former = await inOrder(past, cluster);
  const found = await survey(surveyedOf(wanted, former), cluster, { signal, manager: fieldManager, force: inFull });

  const lost = conflictsIn(wanted, desire.placed, assignment, found);
  const conflicts = [...(only === undefined ? desire.conflicts : []), ...lost];
  const disputed = new Set(lost.map(({ ref }) => keyOf(ref)));
  const finished = finishedJobs(desire.placed, before, found);
  const desired = wanted
    .filter(({ ref }) => !finished.has(keyOf(ref)) && !disputed.has(keyOf(ref)))
    .map(({ object, at, ref, claims }): Ordered<Wanted> => ({ item: { object, at }, ref, claims }));
  // What is disputed makes the deploy fail, and a deploy that fails removes nothing.
  const previous = conflicts.length > 0 ? [] : former.filter(({ ref }) => isStillOwn(keyOf(ref), found, assignment));
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
    ...recordsFor(beginning, assignment, desired, operation),
  };
  const lackingNow = await lacking(items, new Set(coming), cluster, { signal });
  return { plan: drawn(input), beginning, conflicts, lacking: lackingNow, desired, previous, found };
}

function drawn(input: PlanInput): Plan {
  const planned = plan(input);
  if ("problems" in planned) throw new BadInput(planned.problems);
  return planned.plan;
}

function recordsFor(
  beginning: Beginning | undefined,
  { summary }: Assignment,
  desired: readonly Ordered<Wanted>[],
  operation: Operation,
): Partial<PlanInput> {
  if (beginning === undefined) return {};
  const { release, carriedOn } = beginning;
  return {
    release: { name: summary.metadata.name, namespace: home, revision: release.revision },
    ...(carriedOn ? { hooksDone: hooksDoneIn(release, desired, operation) } : {}),
  };
}

function surveyedOf(wanted: readonly Prepared[], former: readonly Ordered<Wanted>[]): readonly Surveyed[] {
  const keys = new Set(wanted.map(({ ref }) => keyOf(ref)));
  return [
    ...wanted
      .filter(({ pending }) => !pending)
      .map(({ ref, object, claims: { replicasOnCreation, sensitive } }) => ({
        ref,
        manifest: object,
        keepsReplicas: replicasOnCreation !== undefined,
        sensitive,
      })),
    ...former.filter(({ ref, claims }) => !claims.hook && !keys.has(keyOf(ref))).map(({ ref }) => ({ ref })),
  ];
}

function conflictsIn(wanted: readonly Prepared[], placed: readonly Placed[], { owner }: Assignment, found: Survey): readonly Conflict[] {
  const pieces = new Map(placed.map((piece) => [keyOf(piece.ref), piece]));
  return wanted.flatMap(({ ref }) => {
    const live = found.objects.get(keyOf(ref))?.live;
    const message = live === undefined ? undefined : objectionByTier(live, owner);
    const piece = pieces.get(keyOf(ref));
    return message === undefined || piece === undefined ? [] : [{ ref, piece, message }];
  });
}

/** Somebody else's by now, or nobody's: not ours to remove. */
function isStillOwn(key: string, { objects }: Survey, { owner }: Assignment): boolean {
  const live = objects.get(key)?.live;
  return live === undefined || isOwn(live, owner);
}

/** Jobs that have done their work and are gone because their time was over: they are not run once more. */
export function finishedJobs(placed: readonly Placed[], before: FeatureRelease | undefined, { objects }: Survey): ReadonlySet<string> {
  if (before?.state !== "deployed") return new Set();
  const applied = appliedIn(before);
  const gone = placed.filter(
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
function isOrdered(manifests: readonly Manifest[], items: readonly Prepared[]): boolean {
  const plain = manifests.map((manifest): Manifest => {
    const { annotations: _annotations, ...metadata } = manifest.object.metadata;
    return { ...manifest, object: { ...manifest.object, metadata } };
  });
  const unsaid = new Map(order(plain, { namespace: home }).ordered.map(({ ref, claims }) => [keyOf(ref), placeIn(claims)]));
  return items.some(({ ref, claims }) => !equal(placeIn(claims), unsaid.get(keyOf(ref)) ?? placeIn(claims)));
}

function placeIn({ stages, hook, rank, gates, needs, barrier, deletion, waitForKind }: Claims): unknown {
  return { stages, hook, rank, gates, needs: needs.filter(({ implied }) => implied !== true), barrier, deletion, waitForKind };
}
