import {
  clusterProfileLabels,
  finalizers,
  gvkOf,
  objectionTo,
  originOf,
  profilePausedAnnotation,
  readProfile,
  type ClusterId,
  type Profile,
} from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { settled, type Outcome } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import type { Books } from "./books.ts";
import { clusterKeyOfSummary, ownerOf, profileIdOf } from "./key.ts";
import { matching } from "./match.ts";
import { circleIn, missingIn } from "./objection.ts";
import { pausing, removalOf, rollOut, type Step } from "./roll-out.ts";
import { failuresIn, newFailures, news, statusFor, statusOfHeld, statusOfRefused, type Failure, type Said } from "./status.ts";
import { isGoing } from "./summary.ts";
import { isOvertaken, Writer } from "./write.ts";

/**
 * Brings the ClusterSummaries of one profile, and its status, to what it asks for.
 *
 * ClusterSummaries are written first, since others wait for them, the profile's own finalizer after them. Between the two
 * nothing can be lost: a profile that is deleted there leaves ClusterSummaries with a finalizer of their own, which name
 * an owner that is gone; the garbage collector deletes them, and so does the next look at this key, and they are withdrawn.
 */
export async function settleProfile(key: string, books: Books, desk: Desk, signal: AbortSignal): Promise<Outcome> {
  const object = books.profile(key);
  const summaries = books.summariesOf(key);
  const writer = new Writer(desk, signal);
  try {
    if (object === undefined) await dismissOrphans(key, summaries, desk, writer, signal);
    else if (isGoing(object)) await end(object, summaries, desk, writer);
    else await follow(object, summaries, { books, desk, writer });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
  await writer.caughtUp();
  return settled;
}

/** The profile is gone, whoever let it go. A copy may lag; what is withdrawn does not come back by itself, so it is asked for. */
async function dismissOrphans(key: string, summaries: readonly KubeObject[], { hub }: Desk, writer: Writer, signal: AbortSignal) {
  const left = summaries.filter((summary) => !isGoing(summary));
  if (left.length === 0) return;
  const { kind, namespace, name } = profileIdOf(key);
  const found = await hub.find({ ...gvkOf(kind), namespace, name }, { signal });
  const orphans = left.filter((summary) => ownerOf(summary)?.uid !== found?.metadata.uid);
  throwFirst(
    await all(
      orphans.map((summary) => removalOf(summary)),
      writer,
    ),
  );
}

/** A profile that is being deleted goes when the last of its ClusterSummaries is gone. */
async function end(object: KubeObject, summaries: readonly KubeObject[], desk: Desk, writer: Writer): Promise<void> {
  if (summaries.length === 0) return writer.release(object, finalizerOf(object));
  const removals = summaries.filter((summary) => !isGoing(summary)).map((summary) => removalOf(summary, object));
  const problems = await all([...removals, ...pausing(object, summaries.filter(isGoing))], writer);
  // That it was looked at is no news of one that goes: only what holds it up is.
  const { observedGeneration: _generation, ...said } = statusOfHeld(object, [...failuresIn(summaries), ...problems]);
  await tell(object, said, desk, writer);
  throwFirst(problems);
}

async function pause(object: KubeObject, summaries: readonly KubeObject[], desk: Desk, writer: Writer): Promise<void> {
  const problems = await all(pausing(object, summaries), writer);
  await tell(object, statusOfHeld(object, [...failuresIn(summaries), ...problems]), desk, writer);
  throwFirst(problems);
}

type Surroundings = { readonly books: Books; readonly desk: Desk; readonly writer: Writer };

async function follow(object: KubeObject, summaries: readonly KubeObject[], { books, desk, writer }: Surroundings): Promise<void> {
  if (object.metadata.annotations?.[profilePausedAnnotation] !== undefined) return pause(object, summaries, desk, writer);
  const reading = readProfile(object);
  const objection = objectionTo(reading) ?? circleIn(object, books);
  if (reading.state === "invalid" || objection !== undefined)
    return tell(object, statusOfRefused(object, objection ?? "", failuresIn(summaries)), desk, writer);
  const isKnown = (cluster: string) => desk.fleet.find(cluster) !== undefined;
  const clusters = clustersFor(object, reading.value, summaries, { books, desk });
  const planned = rollOut({
    wish: { object, profile: reading.value },
    matching: clusters,
    summaries,
    isKnown,
    ...participation(desk),
  });
  const problems = await all([...planned.steps, ...pausing(object, summaries.filter(isGoing))], writer);
  const marked = await mark(object, clusters, writer);
  const failures = [...failuresIn(summaries), ...problems];
  const failureMessage = missingIn(object, reading.value, isKnown, books);
  await tell(marked, { ...statusFor(object, clusters, planned, failures), failureMessage }, desk, writer, "MissingReference");
  throwFirst(problems);
}

function clustersFor(
  object: KubeObject,
  profile: Profile,
  summaries: readonly KubeObject[],
  { books, desk: { fleet } }: Pick<Surroundings, "books" | "desk">,
): readonly ClusterId[] {
  const had = new Set(summaries.filter((summary) => !isGoing(summary)).map(clusterKeyOfSummary));
  return matching(profile, {
    clusters: () => fleet.managed(),
    isKnown: (cluster) => fleet.find(cluster) !== undefined,
    sets: books.setsOf(object),
    has: (cluster) => had.has(cluster),
  });
}

function participation({ fleet }: Desk) {
  const find = (cluster: ClusterId) => fleet.find(clusterKey(cluster))?.managed;
  const isPaused = (cluster: ClusterId) => find(cluster)?.paused === true;
  const takesPart = (cluster: ClusterId) => {
    const { ready, down, paused } = find(cluster) ?? { ready: false, down: true, paused: true };
    return ready && !down && !paused;
  };
  return { isPaused, takesPart };
}

/** The finalizer; and on a generated profile the labels that Sveltos puts there once it has a cluster. */
async function mark(object: KubeObject, clusters: readonly ClusterId[], writer: Writer): Promise<KubeObject> {
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
async function tell(object: KubeObject, said: Said, { chronicle }: Desk, writer: Writer, reason = "Refused"): Promise<void> {
  const status = news(object, said);
  if (Object.keys(status).length === 0) return;
  if (typeof status.failureMessage === "string") {
    chronicle.note(object, { type: "Warning", reason, message: status.failureMessage });
    chronicle.count("sluice_objections_total", { kind: object.kind, reason });
  }
  for (const { clusterRef, failureMessage } of newFailures(object, status)) {
    const message = `${clusterRef.namespace ?? ""}/${clusterRef.name ?? ""}: ${failureMessage}`;
    chronicle.note(object, { type: "Warning", reason: "Failed", message });
  }
  await writer.patch(object, { status });
}

type Problem = Failure & { readonly error: unknown };

/** Performs all steps at once; what goes wrong with one is told and holds up no other. */
async function all(steps: readonly Step[], writer: Writer): Promise<readonly Problem[]> {
  const endings = await Promise.allSettled(steps.map((step) => writer.perform(step)));
  return endings.flatMap((ending, index) => {
    const step = steps[index];
    if (ending.status === "fulfilled" || step === undefined || isOvertaken(ending.reason)) return [];
    const error: unknown = ending.reason;
    return [{ cluster: step.cluster, message: error instanceof Error ? error.message : String(error), error }];
  });
}

function throwFirst(problems: readonly Problem[]): void {
  const [problem] = problems;
  if (problem !== undefined) throw problem.error;
}
