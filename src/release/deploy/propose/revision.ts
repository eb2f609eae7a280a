import { BadInput } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { keyOf } from "../../../core/object/index.ts";
import type { Preparation } from "../../apply/index.ts";
import type { Operation, Ordered } from "../../order/index.ts";
import { changesNothing, takesPart, type Plan, type PlanInput, type Wanted } from "../../plan/index.ts";
import {
  begin,
  continuationOf,
  isSame,
  latestOf,
  marked,
  objectionTo,
  type Content,
  type RecordedOperation,
  type Release,
  type Revision,
} from "../../record/index.ts";
import { survey, type Survey } from "../../live/index.ts";
import { basisOf } from "../basis.ts";
import { formerOf } from "../former.ts";
import { hooksDoneIn } from "../hook-runs.ts";
import type { Proposal, Terms } from "../proposal.ts";
import { prospectsOf } from "../prospect.ts";
import { draw, manager, numbered, planOptions, wantedIn } from "./common.ts";

export type Drawing = {
  readonly terms: Terms;
  readonly release: Release;
  readonly operation: RecordedOperation;
  readonly content: Content;
  readonly prepared: Preparation;
  readonly revisions: readonly Revision[];
  readonly description?: string;
};

/** Settles an operation that writes a revision. */
export async function proposeRevision(drawing: Drawing, cluster: Cluster, signal: AbortSignal): Promise<Proposal> {
  const { terms, release, operation, content, prepared, revisions } = drawing;
  const latest = latestOf(revisions);
  const continuation = continuationOf(latest, operation, content);
  const carriedOn = continuation.how === "carry-on";
  const revision = carriedOn ? continuation.revision : nextRevision(drawing, latest, cluster.clock.now());
  const objection = objectionTo(revision);
  if (objection !== undefined) throw new BadInput([{ at: "", message: objection }]);
  const desired = prepared.items.map(({ object, at, ref, claims }): Ordered<Wanted> => {
    const own = claims.ownership === "release" ? marked(object, release) : object;
    return { item: { object: own, at }, ref, claims };
  });
  const pending = new Set(prepared.items.filter((item) => item.pending).map(({ ref }) => keyOf(ref)));
  const previous = await formerOf(revisions, cluster, release.namespace);
  const found = await surveyed(desired, previous, pending, operation, cluster, {
    signal,
    force: terms.forceConflicts ?? false,
  });
  const input: PlanInput = {
    operation,
    release: numbered(revision),
    desired,
    previous,
    live: found.facts,
    options: planOptions(terms),
    ...(carriedOn ? { hooksDone: hooksDoneIn(revision, desired, operation) } : {}),
  };
  const drawn = draw(input);
  const unchanged = operation === "upgrade" && latest?.state === "deployed" && isSame(latest, content) && changesNothing(drawn);
  const settled = unchanged ? withoutRecords(input) : drawn;
  const basis = basisOf(settled, revisions, found);
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
    objects: prospectsOf(basis, found, desired, previous),
  };
}

function nextRevision({ release, operation, content, description }: Drawing, previous: Revision | undefined, nowMs: number): Revision {
  const at = new Date(nowMs).toISOString();
  return begin(release, operation, content, { previous, at, ...(description === undefined ? {} : { description }) });
}

/** Looks at what is wanted and takes part, and at what may have to go. */
async function surveyed(
  desired: readonly Ordered<Wanted>[],
  previous: readonly Ordered<Wanted>[],
  pending: ReadonlySet<string>,
  operation: Operation,
  cluster: Cluster,
  { signal, force }: { readonly signal: AbortSignal; readonly force: boolean },
): Promise<Survey> {
  const taking = desired.filter(({ claims }) => takesPart(claims, operation));
  const wanted = new Set(taking.map(({ ref }) => keyOf(ref)));
  const items = [
    ...taking.filter(({ ref }) => !pending.has(keyOf(ref))).map(wantedIn),
    ...previous.filter(({ ref, claims }) => !claims.hook && !wanted.has(keyOf(ref))).map(({ ref }) => ({ ref })),
  ];
  return survey(items, cluster, { signal, manager, force });
}

/** What is left to be done about a release that is as it should be: to wait for what is not ready. */
function withoutRecords({ release: _release, desired, ...input }: PlanInput): Plan {
  return draw({ ...input, desired: desired.filter(({ claims }) => !claims.hook), previous: [] });
}
