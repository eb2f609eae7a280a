import { BadInput } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { keyOf } from "../../../core/object/index.ts";
import type { Operation, Ordered } from "../../order/index.ts";
import { changesNothing, takesPart, type Plan, type PlanInput, type DesiredManifest } from "../../plan/index.ts";
import {
  desiredOf,
  hooksDoneIn,
  liveQueryOf,
  planOrThrow,
  readPreviousManifests,
  type PreparedManifest,
  type PreparedManifests,
} from "../../prepare/index.ts";
import {
  beginRevision,
  continuationOf,
  goneReleasesIn,
  hasContent,
  hasSkippedHooks,
  latestOf,
  withReleaseOwner,
  objectionToRecord,
  type RevisionContent,
  type RecordedOperation,
  type Release,
  type Revision,
  type StorageKind,
} from "../../record/index.ts";
import { readLive, type LiveState, type TakeOver } from "../../live/index.ts";
import { planBasisOf } from "../plan-basis.ts";
import type { Proposal, OperationPolicy } from "../proposal.ts";
import { plannedObjectsOf } from "../planned-object.ts";
import { planOptions, releaseFieldManager, releaseRevisionOf } from "./proposal-input.ts";

type RevisionDraft = {
  readonly policy: OperationPolicy;
  readonly release: Release;
  readonly operation: RecordedOperation;
  readonly content: RevisionContent;
  readonly prepared: PreparedManifests;
  readonly revisions: readonly Revision[];
  readonly description?: string;
  readonly storage?: StorageKind;
  /** A revision is written also when nothing changes. Default false. */
  readonly isRepeated?: boolean;
};

/** Proposes an operation that writes a revision. */
export async function proposeRevision(draft: RevisionDraft, cluster: Cluster, signal: AbortSignal): Promise<Proposal> {
  const { policy, release, operation, content, prepared, revisions, isRepeated = false } = draft;
  const latest = latestOf(revisions);
  const continuation = continuationOf(latest, operation, content);
  const carriedOn = continuation.how === "carry-on";
  const revision = carriedOn ? continuation.revision : nextRevision(draft, latest, cluster.clock.now());
  const objection = objectionToRecord(revision);
  if (objection !== undefined) throw new BadInput([{ at: "", message: objection }]);
  const items = policy.noHooks === true ? prepared.items.filter(({ constraints }) => !constraints.hook) : prepared.items;
  const desired = items.map((item) => desiredOf(owned(item, release)));
  const pending = new Set(prepared.items.filter((item) => item.pending).map(({ ref }) => keyOf(ref)));
  const previous = await readPreviousManifests(revisions, cluster, release.namespace);
  const found = await readLiveFor(desired, previous, pending, operation, cluster, {
    signal,
    force: policy.forceConflicts ?? false,
    takeOver: policy.takeOwnership === true ? "all" : "own",
  });
  const input: PlanInput = {
    operation,
    release: releaseRevisionOf(revision),
    desired,
    previous,
    live: found.facts,
    background: { continued: latest !== undefined && latest.state !== "deployed" },
    options: planOptions(policy),
    ...(carriedOn ? { hooksDone: hooksDoneIn(revision, desired, operation) } : {}),
  };
  const plan = planOrThrow(input);
  const hooksAreOwed = (deployed: Revision) => policy.noHooks !== true && hasSkippedHooks(deployed);
  const unchanged =
    !isRepeated &&
    operation === "upgrade" &&
    latest?.state === "deployed" &&
    hasContent(latest, content) &&
    changesNothing(plan) &&
    !hooksAreOwed(latest);
  const settled = unchanged ? withoutRecords(input) : plan;
  const basis = planBasisOf(settled, revisions, found);
  return {
    release,
    operation,
    plan: settled,
    revision: unchanged ? latest : revision,
    ...(continuation.how === "abandon" ? { abandoned: continuation.revision } : {}),
    unchanged,
    createsNamespace: false,
    warnings: prepared.warnings,
    basis,
    objects: plannedObjectsOf(basis, found, desired, previous),
  };
}

function owned(item: PreparedManifest, release: Release): PreparedManifest {
  return item.constraints.ownership === "release" ? { ...item, object: withReleaseOwner(item.object, release) } : item;
}

function nextRevision(
  { release, operation, content, description, storage }: RevisionDraft,
  previous: Revision | undefined,
  nowMs: number,
): Revision {
  const at = new Date(nowMs).toISOString();
  return beginRevision(release, operation, content, {
    previous,
    at,
    ...(description === undefined ? {} : { description }),
    ...(storage === undefined ? {} : { storage }),
  });
}

/** Reads the desired objects of this operation and the candidates for pruning. */
async function readLiveFor(
  desired: readonly Ordered<DesiredManifest>[],
  previous: readonly Ordered<DesiredManifest>[],
  pending: ReadonlySet<string>,
  operation: Operation,
  cluster: Cluster,
  { signal, force, takeOver }: { readonly signal: AbortSignal; readonly force: boolean; readonly takeOver: TakeOver },
): Promise<LiveState> {
  const taking = desired.filter(({ constraints }) => takesPart(constraints, operation));
  const wanted = new Set(taking.map(({ ref }) => keyOf(ref)));
  const items = [
    ...taking.filter(({ ref }) => !pending.has(keyOf(ref))).map(liveQueryOf),
    ...previous.filter(({ ref, constraints }) => !constraints.hook && !wanted.has(keyOf(ref))).map(({ ref }) => ({ ref })),
  ];
  return readLive(items, cluster, { signal, manager: releaseFieldManager, force, takeOver, isGone: goneReleasesIn(cluster, signal) });
}

/** The plan for an unchanged release: it waits for what is not ready. */
function withoutRecords({ release: _release, desired, ...input }: PlanInput): Plan {
  return planOrThrow({ ...input, desired: desired.filter(({ constraints }) => !constraints.hook), previous: [] });
}
