import {
  clusterProfileLabels,
  conditionsAfter,
  finalizers,
  gvkOf,
  failureMessageOf,
  originOf,
  profilePausedAnnotation,
  readProfile,
  type ClusterId,
  type ManagedCluster,
  type Profile,
} from "../../api/index.ts";
import { owningProfile } from "../../deploy/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { isDeleting, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import { recordConditions, tenantOf, type ControllerContext } from "../context/index.ts";
import type { ProfileIndex } from "./profile-index.ts";
import { clusterKeyOfSummary, type ProfileId } from "./profile-key.ts";
import { matchProfile } from "./match-profile.ts";
import { profileConditions, withdrawalBlocked } from "./profile-conditions.ts";
import { dependencyCycleIn, missingDependenciesIn, missingReferencesIn } from "./profile-objections.ts";
import { heldWrites, removalOf, rollOut, withoutRewritten, type SummaryWrite } from "./roll-out.ts";
import {
  failuresIn,
  newFailures,
  changedFields,
  statusOfActive,
  statusOfHeld,
  statusOfRefused,
  type ClusterFailure,
  type ProfileStatusPatch,
} from "./profile-status.ts";
import { isStaleWrite, HubWriter } from "./hub-writer.ts";

/**
 * Writes the ClusterSummaries of one profile and its status.
 *
 * ClusterSummaries are written before the profile's finalizer, since their controller waits for them. A profile that is
 * deleted in between loses nothing: its ClusterSummaries have finalizers of their own, and the garbage collector or the
 * next reconcile of this key deletes them.
 */
export async function reconcileProfile(
  profile: ProfileId,
  index: ProfileIndex,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const object = index.profile(profile);
  const summaries = index.summariesOf(profile);
  const writer = new HubWriter(context, signal);
  try {
    if (object === undefined) await deleteOrphans(profile, summaries, context, writer, signal);
    else if (isDeleting(object)) await reconcileDeletion(object, summaries, context, writer);
    else await reconcileActive(object, summaries, { index, context, writer });
  } catch (error) {
    if (!isStaleWrite(error)) throw error;
  }
  await writer.waitForCache();
  return reconciled;
}

/** Deletes the ClusterSummaries of a deleted profile. Asks the API server first: the cache may lag, and a withdrawal is not undone. */
async function deleteOrphans(
  { kind, namespace, name }: ProfileId,
  summaries: readonly KubeObject[],
  { hub }: ControllerContext,
  writer: HubWriter,
  signal: AbortSignal,
) {
  const remaining = summaries.filter((summary) => !isDeleting(summary));
  if (remaining.length === 0) return;
  const found = await hub.find({ ...gvkOf(kind), namespace, name }, { signal });
  const orphans = remaining.filter((summary) => owningProfile(summary)?.uid !== found?.metadata.uid);
  throwFirst(
    await writeAll(
      orphans.map((summary) => removalOf(summary)),
      writer,
    ),
  );
}

/** Deletes the ClusterSummaries of a profile that is being deleted. Its finalizer is removed after the last of them is gone. */
async function reconcileDeletion(
  object: KubeObject,
  summaries: readonly KubeObject[],
  context: ControllerContext,
  writer: HubWriter,
): Promise<void> {
  if (summaries.length === 0) return writer.removeFinalizer(object, finalizerOf(object));
  const removals = summaries.filter((summary) => !isDeleting(summary)).map((summary) => removalOf(summary, object));
  const writeFailures = await writeAll([...removals, ...heldWrites(object, summaries.filter(isDeleting))], writer);
  // The observedGeneration alone is no reason to write the status of a profile that is being deleted.
  const { observedGeneration: _generation, ...status } = statusOfHeld(object, [
    ...failuresIn(withoutRewritten(summaries, removals)),
    ...writeFailures,
  ]);
  const conditions = conditionsAfter(object, withdrawalBlocked(summaries, findIn(context)), context.hub.clock.now());
  await writeProfileStatus(object, { ...status, conditions }, writeFailures, context, writer);
  throwFirst(writeFailures);
}

async function reconcilePaused(
  object: KubeObject,
  summaries: readonly KubeObject[],
  context: ControllerContext,
  writer: HubWriter,
): Promise<void> {
  const writeFailures = await writeAll(heldWrites(object, summaries), writer);
  await writeProfileStatus(object, statusOfHeld(object, [...failuresIn(summaries), ...writeFailures]), writeFailures, context, writer);
  throwFirst(writeFailures);
}

type ProfileContext = { readonly index: ProfileIndex; readonly context: ControllerContext; readonly writer: HubWriter };

async function reconcileActive(
  object: KubeObject,
  summaries: readonly KubeObject[],
  { index, context, writer }: ProfileContext,
): Promise<void> {
  if (object.metadata.annotations?.[profilePausedAnnotation] !== undefined) return reconcilePaused(object, summaries, context, writer);
  const reading = readProfile(object);
  const objection = failureMessageOf(reading) ?? tenantObjection(object, context) ?? dependencyCycleIn(object, index);
  if (reading.state === "invalid" || objection !== undefined)
    return writeProfileStatus(object, statusOfRefused(object, objection ?? "", failuresIn(summaries)), [], context, writer);
  const isKnown = (cluster: string) => context.fleet.find(cluster) !== undefined;
  const clusters = clustersFor(object, reading.value, summaries, { index, context });
  const planned = rollOut({
    validProfile: { object, profile: reading.value },
    matching: clusters,
    summaries,
    isKnown,
    ...participation(context),
  });
  const writeFailures = await writeAll([...planned.writes, ...heldWrites(object, summaries.filter(isDeleting))], writer);
  const updated = await ensureMetadata(object, clusters, writer);
  const failures = [...failuresIn(withoutRewritten(summaries, planned.writes)), ...writeFailures];
  const failureMessage = missingReferencesIn(object, reading.value, isKnown, index);
  const failed = new Set(failures.map(({ cluster }) => clusterKey(cluster)));
  const holding = profileConditions({
    profile: reading.value,
    matching: clusters,
    outdated: planned.outdated,
    failed,
    summaries,
    sets: index.setsOf(object),
    missingDependencies: missingDependenciesIn(object, index),
    clusters: () => context.fleet.managedClusters(),
    find: findIn(context),
  });
  const conditions = conditionsAfter(object, holding, context.hub.clock.now());
  await writeProfileStatus(
    updated,
    { ...statusOfActive(object, clusters, planned, failures), failureMessage, conditions },
    writeFailures,
    context,
    writer,
    "MissingReference",
  );
  throwFirst(writeFailures);
}

/** Labels of a tenant that name none, or several. */
function tenantObjection(object: KubeObject, context: ControllerContext): string | undefined {
  const reading = tenantOf(object, context);
  return reading.state === "refused" ? `nothing is deployed: ${reading.because}` : undefined;
}

function clustersFor(
  object: KubeObject,
  profile: Profile,
  summaries: readonly KubeObject[],
  { index, context: { fleet } }: Pick<ProfileContext, "index" | "context">,
): readonly ClusterId[] {
  const deployed = new Set(summaries.filter((summary) => !isDeleting(summary)).map(clusterKeyOfSummary));
  return matchProfile(profile, {
    clusters: () => fleet.managedClusters(),
    isKnown: (cluster) => fleet.find(cluster) !== undefined,
    sets: index.setsOf(object),
    isDeployedTo: (cluster) => deployed.has(cluster),
  });
}

function findIn({ fleet }: ControllerContext): (cluster: ClusterId) => ManagedCluster | undefined {
  return (cluster) => fleet.find(clusterKey(cluster))?.managed;
}

function participation(context: ControllerContext) {
  const find = findIn(context);
  const isPaused = (cluster: ClusterId) => find(cluster)?.paused === true;
  const canUpdate = (cluster: ClusterId) => {
    const { ready, down, paused } = find(cluster) ?? { ready: false, down: true, paused: true };
    return ready && !down && !paused;
  };
  return { isPaused, canUpdate };
}

/** Adds the finalizer and, on a generated profile, the labels that Sveltos adds once the profile matches a cluster. */
async function ensureMetadata(object: KubeObject, clusters: readonly ClusterId[], writer: HubWriter): Promise<KubeObject> {
  const { finalizers: before = [], labels = {}, name } = object.metadata;
  const [cluster] = clusters;
  const isGenerated = cluster !== undefined && clusters.length === 1 && originOf(labels) !== undefined;
  const own = isGenerated ? clusterProfileLabels(object.kind === "Profile" ? "Profile" : "ClusterProfile", name, cluster) : {};
  const missing = Object.fromEntries(Object.entries(own).filter(([label, value]) => labels[label] !== value));
  const hasFinalizer = before.includes(finalizerOf(object));
  if (hasFinalizer && Object.keys(missing).length === 0) return object;
  return writer.patch(object, {
    metadata: { ...(!hasFinalizer && { finalizers: [...before, finalizerOf(object)] }), ...(isGenerated && { labels: missing }) },
  });
}

function finalizerOf({ kind }: KubeObject): string {
  return kind === "Profile" ? finalizers.Profile : finalizers.ClusterProfile;
}

/**
 * Writes the changed fields of the status, and records Events for new failures to write a ClusterSummary. What fails in a cluster
 * the controller of ClusterSummaries has recorded on the profile already.
 */
async function writeProfileStatus(
  object: KubeObject,
  patch: ProfileStatusPatch,
  writeFailures: readonly ClusterFailure[],
  context: ControllerContext,
  writer: HubWriter,
  reason = "Refused",
): Promise<void> {
  const { telemetry } = context;
  const status = changedFields(object, patch);
  if (Object.keys(status).length === 0) return;
  recordConditions(object, status.conditions, context);
  if (typeof status.failureMessage === "string") {
    telemetry.recordEvent(object, { type: "Warning", reason, message: status.failureMessage });
    telemetry.count("sluice_objections_total", { kind: object.kind, reason });
  }
  for (const { cluster, message } of newFailures(object, status, writeFailures))
    telemetry.recordEvent(object, { type: "Warning", reason: "Failed", message: `${cluster.namespace}/${cluster.name}: ${message}` });
  await writer.patch(object, { status });
}

type WriteFailure = ClusterFailure & { readonly error: unknown };

/** Makes all writes concurrently. Gives those that have failed; a stale write is no failure. */
async function writeAll(writes: readonly SummaryWrite[], writer: HubWriter): Promise<readonly WriteFailure[]> {
  const results = await Promise.allSettled(writes.map((write) => writer.write(write)));
  return results.flatMap((result, index) => {
    const write = writes[index];
    if (result.status === "fulfilled" || write === undefined || isStaleWrite(result.reason)) return [];
    const error: unknown = result.reason;
    return [{ cluster: write.cluster, message: error instanceof Error ? error.message : String(error), error }];
  });
}

function throwFirst(writeFailures: readonly WriteFailure[]): void {
  const [failure] = writeFailures;
  if (failure !== undefined) throw failure.error;
}
