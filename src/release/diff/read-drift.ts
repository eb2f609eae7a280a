import type { Cluster } from "../../kube/index.ts";
import { equal, isDeleting, keyOf } from "../../core/object/index.ts";
import { concealed } from "../conceal/index.ts";
import { diffsWithoutQuotes } from "./compare-revisions.ts";
import { narrowedTo, type ObjectDiff } from "../deploy/index.ts";
import { readLive, type LiveState } from "../live/index.ts";
import type { Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { asApplied, liveQueryOf, readRevisionManifests } from "../prepare/index.ts";
import type { Revision } from "../record/index.ts";
import { mayBeAbsent } from "../status/index.ts";

type Member = Ordered<DesiredManifest>;

/**
 * How the live objects of a release differ from what a revision says: `before` is the object as the revision has it, `after` as
 * it lives. The server says by a dry run what it would make of each manifest, so its defaults and the fields that others have
 * added are no difference. Hooks come and go and are left out.
 */
export async function readDrift(
  revision: Revision,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly ObjectDiff[]> {
  const recorded = await readRevisionManifests(revision, cluster);
  const members = recorded
    .filter(({ constraints }) => !constraints.hook)
    .map((member) => ({ ...member, item: { ...member.item, object: asApplied(member, revision) } }));
  const live = await readLive(members.map(liveQueryOf), cluster, { signal, manager: "helm", force: true });
  const diffs = await Promise.all(members.map((member) => driftOf(member, live, cluster, signal)));
  return diffsWithoutQuotes(
    diffs.filter((diff) => diff !== undefined),
    recorded,
  );
}

async function driftOf(
  member: Member,
  { facts, objects }: LiveState,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<ObjectDiff | undefined> {
  const { ref, item, constraints } = member;
  const fact = facts.get(keyOf(ref));
  const { live, next } = objects.get(keyOf(ref)) ?? {};
  if (live === undefined) {
    // Throws when the object may not be read: it is not known to be gone then.
    if (fact?.dryRun?.outcome === "refused") await cluster.find(ref, { signal });
    return isMeantToBeAbsent(member) ? undefined : { ref, change: "deleted", because: absenceText(fact === undefined) };
  }
  if (isDeleting(live)) return { ref, change: "deleted", because: "it is being deleted" };
  if (fact?.dryRun?.outcome === "unchanged") return undefined;
  const [before, after] = next === undefined ? [item.object, narrowedTo(live, item.object)] : [next, live];
  if (equal(before, after)) return undefined;
  const { sensitive } = constraints;
  return {
    ref,
    change: "updated",
    before: concealed(before, sensitive),
    after: concealed(after, sensitive, before),
    ...becauseOf(fact?.dryRun),
  };
}

function isMeantToBeAbsent({ item, constraints }: Member): boolean {
  return constraints.keep.create || mayBeAbsent(item.object, constraints.deletePolicies);
}

function absenceText(isUnserved: boolean): string {
  return isUnserved ? "the cluster does not know its kind" : "it does not exist";
}

/** Why the fields of the manifest were compared with the live ones by themselves. */
function becauseOf(dryRun: NonNullable<ReturnType<LiveState["facts"]["get"]>>["dryRun"]): Pick<ObjectDiff, "because"> {
  if (dryRun === undefined || !("because" in dryRun)) return {};
  return { because: `compared without a dry run: ${dryRun.because}` };
}
