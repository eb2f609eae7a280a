import { Fault } from "../core/fault/index.ts";
import type { Cluster } from "../kube/index.ts";
import type { Release } from "../release/record/index.ts";
import { findReleaseRecording, timelineOf, type Recording, type Timeline } from "../release/recording/index.ts";
import { endInRecord, readRevisions, whyUnrecorded } from "../release/status/index.ts";

/** A recording, what is drawn of it, and what a reader has to know beside it. */
type ReleaseTimeline = { readonly recording: Recording; readonly timeline: Timeline; readonly remarks: readonly string[] };

/**
 * Reads the timeline of a revision, or the latest one. Throws a Fault that says why the revision has none, and which ones
 * have. Where the recording has no end, the record of the revision tells how it ended.
 */
export async function readReleaseTimeline(
  release: Release,
  asked: number | undefined,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<ReleaseTimeline> {
  const [revisions, { recording, recorded }] = await Promise.all([
    readRevisions(release, cluster, { signal }),
    findReleaseRecording(release, asked, cluster, { signal }),
  ]);
  if (recording === undefined) {
    const which = asked === undefined ? "" : `revision ${asked} of `;
    const why = `${whyUnrecorded(asked, revisions)}; ${recordedText(recorded)}`;
    throw new Fault(`read the timeline of ${which}release ${release.name} in ${release.namespace}`, why, { final: true });
  }
  const shown = recording.subject.type === "release" ? recording.subject.revision : 0;
  const timeline = timelineOf(recording, { endInRecord: endInRecord(revisions.find(({ revision }) => revision === shown)) });
  const latest = revisions.at(-1)!.revision;
  const isOlder = asked === undefined && shown < latest;
  return {
    recording,
    timeline,
    remarks: isOlder ? [`revision ${latest}: ${whyUnrecorded(latest, revisions)}; this is revision ${shown}`] : [],
  };
}

function recordedText(recorded: readonly number[]): string {
  return recorded.length === 0 ? "no revision is recorded" : `recorded revisions: ${recorded.join(", ")}`;
}
