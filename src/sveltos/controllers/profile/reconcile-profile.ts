import {
  clusterProfileLabels,
  finalizers,
  gvkOf,
  failureMessageOf,
  originOf,
  profilePausedAnnotation,
  readProfile,
  type ClusterId,
  type Profile,
} from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ProfileIndex } from "./profile-index.ts";
import { clusterKeyOfSummary, profileOwnerOf, profileIdOf } from "./profile-key.ts";
import { matchProfile } from "./match-profile.ts";
import { dependencyCycleIn, missingReferencesIn } from "./profile-objections.ts";
import { pauseWrites, removalOf, rollOut, type SummaryWrite } from "./roll-out.ts";
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
import { isDeleting } from "./desired-summary.ts";
import { isStaleWrite, HubWriter } from "./hub-writer.ts";

/**
 * Brings the ClusterSummaries of one profile, and its status, to what it asks for.
 *
 * ClusterSummaries are written first, since others wait for them, the profile's own finalizer after them. Between the two
 * nothing can be lost: a profile that is deleted there leaves ClusterSummaries with a finalizer of their own, which name
 * an owner that is gone; the garbage collector deletes them, and so does the next look at this key, and they are withdrawn.
 */
export async function reconcileProfile(
  key: string,
  index: ProfileIndex,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const object = index.profile(key);
  const summaries = index.summariesOf(key);
  const writer = new HubWriter(context, signal);
  try {
    if (object === undefined) await deleteOrphans(key, summaries, context, writer, signal);
    else if (isDeleting(object)) await reconcileDeletion(object, summaries, context, writer);
    else await reconcileActive(object, summaries, { index, context, writer });
  } catch (error) {
    if (!isStaleWrite(error)) throw error;
  }
  await writer.waitForCache();
  return reconciled;
}

/** The profile is gone, whoever let it go. A copy may lag; what is withdrawn does not come back by itself, so it is asked for. */
async function deleteOrphans(
  key: string,
  summaries: readonly KubeObject[],
  { hub }: ControllerContext,
  writer: HubWriter,
  signal: AbortSignal,
) {
  const left = summaries.filter((summary) => !isDeleting(summary));
  if (left.length === 0) return;
  const { kind, namespace, name } = profileIdOf(key);
  const found = await hub.find({ ...gvkOf(kind), namespace, name }, { signal });
  const orphans = left.filter((summary) => profileOwnerOf(summary)?.uid !== found?.metadata.uid);
  throwFirst(
    await writeAll(
      orphans.map((summary) => removalOf(summary)),
      writer,
    ),
  );
}

/** A profile that is being deleted goes when the last of its ClusterSummaries is gone. */
async function reconcileDeletion(
  object: KubeObject,
  summaries: readonly KubeObject[],
  context: ControllerContext,
  writer: HubWriter,
): Promise<void> {
  if (summaries.length === 0) return writer.removeFinalizer(object, finalizerOf(object));
  const removals = summaries.filter((summary) => !isDeleting(summary)).map((summary) => removalOf(summary, object));
  const problems = await writeAll([...removals, ...pauseWrites(object, summaries.filter(isDeleting))], writer);
  // That it was looked at is no news of one that goes: only what holds it up is.
  const { observedGeneration: _generation, ...said } = statusOfHeld(object, [...failuresIn(summaries), ...problems]);
  await writeProfileStatus(object, said, context, writer);
  throwFirst(problems);
}

async function reconcilePaused(
  object: KubeObject,
  summaries: readonly KubeObject[],
  context: ControllerContext,
  writer: HubWriter,
): Promise<void> {
  const problems = await writeAll(pauseWrites(object, summaries), writer);
  await writeProfileStatus(object, statusOfHeld(object, [...failuresIn(summaries), ...problems]), context, writer);
  throwFirst(problems);
}

type ProfileContext = { readonly index: ProfileIndex; readonly context: ControllerContext; readonly writer: HubWriter };

async function reconcileActive(
  object: KubeObject,
  summaries: readonly KubeObject[],
  { index, context, writer }: ProfileContext,
): Promise<void> {
  if (object.metadata.annotations?.[profilePausedAnnotation] !== undefined) return reconcilePaused(object, summaries, context, writer);
  const reading = readProfile(object);
  const objection = failureMessageOf(reading) ?? dependencyCycleIn(object, index);
  if (reading.state === "invalid" || objection !== undefined)
    return writeProfileStatus(object, statusOfRefused(object, objection ?? "", failuresIn(summaries)), context, writer);
  const isKnown = (cluster: string) => context.fleet.find(cluster) !== undefined;
  const clusters = clustersFor(object, reading.value, summaries, { index, context });
  const planned = rollOut({
    validProfile: { object, profile: reading.value },
    matching: clusters,
    summaries,
    isKnown,
    ...participation(context),
  });
  const problems = await writeAll([...planned.steps, ...pauseWrites(object, summaries.filter(isDeleting))], writer);
  const marked = await ensureMetadata(object, clusters, writer);
  const failures = [...failuresIn(summaries), ...problems];
  const failureMessage = missingReferencesIn(object, reading.value, isKnown, index);
  await writeProfileStatus(
    marked,
    { ...statusOfActive(object, clusters, planned, failures), failureMessage },
    context,
    writer,
    "MissingReference",
  );
  throwFirst(problems);
}

function clustersFor(
  object: KubeObject,
  profile: Profile,
  summaries: readonly KubeObject[],
  { index, context: { fleet } }: Pick<ProfileContext, "index" | "context">,
): readonly ClusterId[] {
  const had = new Set(summaries.filter((summary) => !isDeleting(summary)).map(clusterKeyOfSummary));
  return matchProfile(profile, {
    clusters: () => fleet.managedClusters(),
    isKnown: (cluster) => fleet.find(cluster) !== undefined,
    sets: index.setsOf(object),
    isDeployedTo: (cluster) => had.has(cluster),
  });
}

function participation({ fleet }: ControllerContext) {
  const find = (cluster: ClusterId) => fleet.find(clusterKey(cluster))?.managed;
  const isPaused = (cluster: ClusterId) => find(cluster)?.paused === true;
  const canUpdate = (cluster: ClusterId) => {
    const { ready, down, paused } = find(cluster) ?? { ready: false, down: true, paused: true };
    return ready && !down && !paused;
  };
  return { isPaused, canUpdate };
}

/** The finalizer; and on a generated profile the labels that Sveltos puts there once it has a cluster. */
async function ensureMetadata(object: KubeObject, clusters: readonly ClusterId[], writer: HubWriter): Promise<KubeObject> {
  const { finalizers: before = [], labels = {}, name } = object.metadata;
  const [cluster] = clusters;
  const isMeant = cluster !== undefined && clusters.length === 1 && originOf(labels) !== undefined;
  const own = isMeant ? clusterProfileLabels(object.kind === "Profile" ? "Profile" : "ClusterProfile", name, cluster) : {};
  const missing = Object.fromEntries(Object.entries(own).filter(([label, value]) => labels[label] !== value));
  const isMarked = before.includes(finalizerOf(object));
  if (isMarked && Object.keys(missing).length === 0) return object;
  return writer.patch(object, {
    metadata: { ...(!isMarked && { finalizers: [...before, finalizerOf(object)] }), ...(isMeant && { labels: missing }) },
  });
}

function finalizerOf({ kind }: KubeObject): string {
  return kind === "Profile" ? finalizers.Profile : finalizers.ClusterProfile;
}

/** Writes the status where it says something new, and says what is wrong to whoever does not look there. */
async function writeProfileStatus(
  object: KubeObject,
  said: ProfileStatusPatch,
  { telemetry }: ControllerContext,
  writer: HubWriter,
  reason = "Refused",
): Promise<void> {
  const status = changedFields(object, said);
  if (Object.keys(status).length === 0) return;
  if (typeof status.failureMessage === "string") {
    telemetry.recordEvent(object, { type: "Warning", reason, message: status.failureMessage });
    telemetry.count("sluice_objections_total", { kind: object.kind, reason });
  }
  for (const { clusterRef, failureMessage } of newFailures(object, status)) {
    const message = `${clusterRef.namespace ?? ""}/${clusterRef.name ?? ""}: ${failureMessage}`;
    telemetry.recordEvent(object, { type: "Warning", reason: "Failed", message });
  }
  await writer.patch(object, { status });
}

type WriteFailure = ClusterFailure & { readonly error: unknown };

/** Performs all steps at once; what goes wrong with one is told and holds up no other. */
async function writeAll(steps: readonly SummaryWrite[], writer: HubWriter): Promise<readonly WriteFailure[]> {
  const endings = await Promise.allSettled(steps.map((step) => writer.write(step)));
  return endings.flatMap((ending, index) => {
    const step = steps[index];
    if (ending.status === "fulfilled" || step === undefined || isStaleWrite(ending.reason)) return [];
    const error: unknown = ending.reason;
    return [{ cluster: step.cluster, message: error instanceof Error ? error.message : String(error), error }];
  });
}

function throwFirst(problems: readonly WriteFailure[]): void {
  const [problem] = problems;
  if (problem !== undefined) throw problem.error;
}
