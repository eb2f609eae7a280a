import type { Cluster } from "../../kube/index.ts";
import { keyOf } from "../../core/object/index.ts";
import type { Operation, Ordered } from "../order/index.ts";
import type { DesiredManifest, Plan } from "../plan/index.ts";
import { asApplied, hooksDoneIn, planOrThrow } from "../prepare/index.ts";
import { readLeaseHolder, latestOf, type LeaseHolderOptions, type Release, type Revision } from "../record/index.ts";
import { readLive } from "../live/index.ts";
import type { HealthOptions } from "../track/index.ts";
import type { RolloutStatus } from "../why/index.ts";
import { readRecordedObjects } from "./recorded-objects.ts";
import { readRevisions } from "./read-revisions.ts";
import { readStepStatuses } from "./read-step-statuses.ts";

type Options = LeaseHolderOptions & Omit<HealthOptions, "known">;

/**
 * Reads the rollout status of a release: the whole plan of its latest revision, as if nothing were done yet, and the
 * status of each step by the live objects.
 */
export async function readRolloutStatus(release: Release, cluster: Cluster, options: Options): Promise<RolloutStatus> {
  const revisions = await readRevisions(release, cluster, options);
  const latest = latestOf(revisions)!;
  const [holder, plan] = await Promise.all([readLeaseHolder(cluster, release, options), planFor(revisions, cluster, options)]);
  const { revision, state, description } = latest;
  return {
    release,
    revision,
    state,
    description,
    ...(holder === undefined ? {} : { holder }),
    plan,
    stepStatuses: await readStepStatuses(plan, latest, cluster, options),
  };
}

async function planFor(revisions: readonly Revision[], cluster: Cluster, { signal }: Options): Promise<Plan> {
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
  return planOrThrow({
    operation,
    release: { name, namespace, revision },
    desired: remainingOf(wanted, latest, operation),
    previous: [...wanted, ...left],
    live: new Map(candidates.flatMap(({ ref }) => [[keyOf(ref), facts.get(keyOf(ref)) ?? { exists: false }] as const])),
    hooksDone: hooksDoneIn(latest, wanted, operation),
    // As the deletion itself goes about it.
    ...(latest.state === "uninstalling" ? { background: { continued: true } } : {}),
  });
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
