import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { recordingIn, recordingRefOf, recordingSelector, revisionRecordedIn, type RecordingLocation } from "./recording-secret.ts";
import type { Recording } from "./recording.ts";

type ReadOptions = { readonly signal: AbortSignal };

/** A recording that was looked for, and the revisions that have one. */
type FoundRecording = { readonly recording: Recording | undefined; readonly recorded: readonly number[] };

/** Finds the recording of a revision of a release, or the latest one. Throws a Fault when it cannot be read. */
export async function findReleaseRecording(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  revision: number | undefined,
  cluster: Cluster,
  { signal }: ReadOptions,
): Promise<FoundRecording> {
  const kind = { group: "", version: "v1", kind: "Secret" };
  const { items } = await cluster.list(kind, { namespace, labelSelector: recordingSelector(name), signal });
  const found = revision === undefined ? latestIn(items) : ofRevision(items, revision);
  const recorded = new Set(items.flatMap((secret) => revisionRecordedIn(secret)?.revision ?? []));
  return { recording: found === undefined ? undefined : recordingIn(found), recorded: [...recorded].toSorted((a, b) => a - b) };
}

/** Reads the latest recording of a release. Throws a Fault when there is none or it cannot be read. */
export async function readReleaseRecording(
  release: { readonly name: string; readonly namespace: string },
  cluster: Cluster,
  options: ReadOptions,
): Promise<Recording> {
  const { recording } = await findReleaseRecording(release, undefined, cluster, options);
  if (recording !== undefined) return recording;
  throw new Fault(`read the timeline of release ${release.name} in ${release.namespace}`, "there is no recording of it", { final: true });
}

/** Reads the latest recordings of a release, newest first. Those that cannot be read are left out. */
export async function readRecentRecordings(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  count: number,
  cluster: Cluster,
  { signal }: ReadOptions,
): Promise<readonly Recording[]> {
  const kind = { group: "", version: "v1", kind: "Secret" };
  const { items } = await cluster.list(kind, { namespace, labelSelector: recordingSelector(name), signal });
  return newestFirst(items).slice(0, count).flatMap(readable);
}

function readable(secret: KubeObject): readonly Recording[] {
  try {
    return [recordingIn(secret)];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}

/** Reads the recording at this place; undefined when there is none. */
export async function readRecordingAt(
  location: RecordingLocation,
  cluster: Cluster,
  { signal }: ReadOptions,
): Promise<Recording | undefined> {
  const found = await cluster.find(recordingRefOf(location), { signal });
  return found === undefined ? undefined : recordingIn(found);
}

function latestIn(secrets: readonly KubeObject[]): KubeObject | undefined {
  return newestFirst(secrets)[0];
}

/** The deletion of a revision comes after its deploy. */
function newestFirst(secrets: readonly KubeObject[]): readonly KubeObject[] {
  return secrets.filter((secret) => revisionRecordedIn(secret) !== undefined).toSorted((a, b) => placeOf(b) - placeOf(a));
}

function placeOf(secret: KubeObject): number {
  const { revision, isDeletion } = revisionRecordedIn(secret) ?? { revision: 0, isDeletion: false };
  return revision * 2 + (isDeletion ? 1 : 0);
}

/** How it was deployed rather than how it was deleted. */
function ofRevision(secrets: readonly KubeObject[], revision: number): KubeObject | undefined {
  const those = secrets.filter((secret) => revisionRecordedIn(secret)?.revision === revision);
  return those.toSorted((a, b) => placeOf(a) - placeOf(b))[0];
}
