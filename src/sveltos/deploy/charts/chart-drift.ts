import { driftIgnoreAnnotation, type ClusterSummaryStatus } from "../../api/index.ts";
import { keyOf, numberAt, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { runPlan } from "../../../release/apply/index.ts";
import type { Progress } from "../../../release/index.ts";
import type { Plan } from "../../../release/plan/index.ts";
import { desiredOf, liveQueryOf, manifestsInRevision, planOrThrow, prepare } from "../../../release/prepare/index.ts";
import { deployedOf, latestOf, withReleaseOwner, type Revision } from "../../../release/record/index.ts";
import { readLive } from "../../../release/live/index.ts";
import type { SummaryStatusStore } from "../summary-status-store.ts";
import type { AddonContext } from "../addon-request.ts";
import { readReleaseRevisions } from "./install-chart.ts";

/** The field manager of a chart's objects. */
const manager = "helm";

/** The drifted objects of one release, and the plan that repairs them, without hooks and without a new revision. */
type ChartDrift = { readonly refs: readonly ObjectRef[]; readonly plan: Plan };

type Options = { readonly signal: AbortSignal; readonly among: ReadonlySet<string> | undefined };

/** Compares the releases that a profile manages with their records. */
export async function chartDrift(
  statusStore: SummaryStatusStore,
  { cluster }: AddonContext,
  { signal, among }: Options,
): Promise<readonly ChartDrift[]> {
  const drifts: ChartDrift[] = [];
  for (const { status, releaseName, releaseNamespace } of statusStore.status.helmReleaseSummaries ?? []) {
    if (status !== "Managing") continue;
    const revisions = await readReleaseRevisions({ name: releaseName, namespace: releaseNamespace }, cluster, signal);
    const deployed = deployedOf(revisions);
    // A new revision is deployed by `deployProfile`.
    if (deployed === undefined || deployed !== latestOf(revisions)) continue;
    const drift = await driftOf(deployed, cluster, { signal, among });
    if (drift.refs.length > 0) drifts.push(drift);
  }
  return drifts;
}

/** The objects of the releases that a profile manages, without hooks and ignored ones. */
export async function chartObjects(
  { helmReleaseSummaries = [] }: ClusterSummaryStatus,
  cluster: AddonContext["cluster"],
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly ObjectRef[]> {
  const refs: ObjectRef[] = [];
  for (const { status, releaseName, releaseNamespace: namespace } of helmReleaseSummaries) {
    if (status !== "Managing") continue;
    const deployed = deployedOf(await readReleaseRevisions({ name: releaseName, namespace }, cluster, signal));
    if (deployed === undefined) continue;
    const { items } = await prepare(manifestsInRevision(deployed), cluster, { signal, namespace });
    refs.push(...items.filter(({ object, constraints }) => !constraints.hook && !isIgnored(object)).map(({ ref }) => ref));
  }
  return refs;
}

async function driftOf(revision: Revision, cluster: AddonContext["cluster"], { signal, among }: Options): Promise<ChartDrift> {
  const { name, namespace } = revision;
  const { items } = await prepare(manifestsInRevision(revision), cluster, { signal, namespace });
  const watched = items
    .filter(({ ref, object, constraints }) => !constraints.hook && !isIgnored(object) && (among?.has(keyOf(ref)) ?? true))
    .map((item) => desiredOf({ ...item, object: withReleaseOwner(item.object, { name, namespace }) }));
  const { facts } = await readLive(watched.map(liveQueryOf), cluster, { signal, manager, force: true });
  const desired = watched.filter(({ ref, item }) => {
    const fact = facts.get(keyOf(ref));
    return fact?.dryRun?.outcome !== "unchanged" && !(fact?.exists !== true && isShortLived(item.object));
  });
  const plan = planOrThrow({
    operation: "upgrade",
    release: { name, namespace, revision: revision.revision },
    desired,
    live: facts,
    options: { wait: "none", force: true, takeOwnership: true },
  });
  return { refs: desired.map(({ ref }) => ref), plan };
}

function isIgnored({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[driftIgnoreAnnotation] !== undefined;
}

/** A Job with a TTL is deleted after it has finished. */
function isShortLived(object: KubeObject): boolean {
  return object.kind === "Job" && numberAt(object, "spec.ttlSecondsAfterFinished") !== undefined;
}

/** Repairs the drifted objects of a release. Its records stay as they are. */
export async function* repairChart({ plan }: ChartDrift, { cluster }: AddonContext, signal: AbortSignal): AsyncGenerator<Progress> {
  yield { type: "planned", plan };
  for await (const event of runPlan(plan, { cluster, manager }, { signal })) {
    if (event.type === "done" && event.status === "stopped") signal.throwIfAborted();
    if (!("verb" in event) || event.verb !== "record") yield event;
  }
}
