import type { Cluster } from "../../kube/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Operation, Ordered } from "../order/index.ts";
import type { DesiredManifest, Plan } from "../plan/index.ts";
import { asApplied, hooksDoneIn, planOrThrow } from "../prepare/index.ts";
import { latestOf, type Revision } from "../record/index.ts";
import { readLive } from "../live/index.ts";
import { readRecordedObjects } from "./recorded-objects.ts";

/** A plan as if nothing were done yet. */
type RolloutPlan = {
  readonly plan: Plan;
  /** The objects whose presence the plan depends on: those that the operation removes. */
  readonly removed: readonly ObjectRef[];
};

/** Reads the whole plan of the latest one of these revisions. */
export async function readRolloutPlan(
  revisions: readonly Revision[],
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<RolloutPlan> {
  const latest = latestOf(revisions)!;
  const operation = operationOf(latest, revisions);
  const { wanted, left } = await readRecordedObjects(revisions, cluster);
  const candidates = operation === "delete" ? [...wanted.filter(({ constraints }) => !constraints.hook), ...left] : left;
  const { facts } = await readLive(
    candidates.map(({ ref }) => ({ ref })),
    cluster,
    { signal, manager: "helm" },
  );
  const { name, namespace, revision } = latest;
  const plan = planOrThrow({
    operation,
    release: { name, namespace, revision },
    desired: remainingOf(wanted, latest, operation),
    previous: [...wanted, ...left],
    live: new Map(candidates.flatMap(({ ref }) => [[keyOf(ref), facts.get(keyOf(ref)) ?? { exists: false }] as const])),
    hooksDone: hooksDoneIn(latest, wanted, operation),
    // As the deletion itself goes about it.
    ...(latest.state === "uninstalling" ? { background: { continued: true } } : {}),
  });
  return { plan, removed: candidates.map(({ ref }) => ref) };
}

/** A deployed release has no hooks left to run. */
function remainingOf(
  wanted: readonly Ordered<DesiredManifest>[],
  latest: Revision,
  operation: Operation,
): readonly Ordered<DesiredManifest>[] {
  if (operation === "delete") return wanted.filter(({ constraints }) => constraints.hook);
  const left = latest.state === "deployed" ? wanted.filter(({ constraints }) => !constraints.hook) : wanted;
  return left.map((member) => ({ ...member, item: { ...member.item, object: asApplied(member, latest) } }));
}

/** The operation of the latest revision. A finished one shows it only in its description. */
function operationOf({ state, description }: Revision, revisions: readonly Revision[]): Operation {
  if (state === "uninstalling" || state === "uninstalled") return "delete";
  if (state === "pending-install" || state === "pending-upgrade" || state === "pending-rollback")
    return state === "pending-install" ? "install" : state === "pending-upgrade" ? "upgrade" : "rollback";
  const isFirst = !revisions.slice(0, -1).some((each) => each.state === "deployed" || each.state === "superseded");
  if (isFirst) return "install";
  return description.startsWith("Rollback") ? "rollback" : "upgrade";
}
