import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { releaseText, type Release, type Revision } from "../../release/record/index.ts";
import { timelineOf, compareTimelines, type Recording, type RowComparison } from "../../release/recording/index.ts";
import { compareRevisions } from "../../release/diff/index.ts";
import { endInRecord, readRolloutPlan, revisionOf, whyUnrecorded } from "../../release/status/index.ts";
import type { ObjectTimes, Replay, RevisionComparison } from "../api/index.ts";
import { manifestDiffOf } from "./read-manifest-diff.ts";
import { planGraphOf } from "./plan-graph.ts";
import { RecordReader } from "./record-reader.ts";
import { withRecordedNodes } from "./recorded-graph.ts";
import { requiredIn, revisionNumberIn } from "./release-request.ts";
import { replayOf } from "./replay-of.ts";

type RequestContext = { readonly cluster: Cluster; readonly signal: AbortSignal };

/** Reads the recording of a revision, for a replay of it. */
export async function readReplay(query: URLSearchParams, { cluster, signal }: RequestContext): Promise<Replay> {
  const release = releaseNamedIn(query);
  const { revisions, recordingOf } = await readRecords(release, cluster);
  const revision = revisionOf(revisions, release, revisionNumberIn(query, "revision"));
  const recording = recordingOf(revision);
  if (recording === undefined) {
    const why = whyUnrecorded(revision.revision, revisions);
    throw new Fault(`replay revision ${revision.revision} of release ${releaseText(release)}`, why, { final: true });
  }
  const upTo = revisions.filter((each) => each.revision <= revision.revision && each.state !== "unknown");
  const { plan } = await readRolloutPlan(upTo, cluster, { signal });
  return replayOf(recording, withRecordedNodes(planGraphOf(plan), recording).nodeOfStep);
}

/** Compares two revisions of a release: what changed in its objects, and how long each took. */
export async function readRevisionComparison(query: URLSearchParams, { cluster }: RequestContext): Promise<RevisionComparison> {
  const release = releaseNamedIn(query);
  const { revisions, recordingOf } = await readRecords(release, cluster);
  const [before, after] = ["before", "after"].map((field) => revisionOf(revisions, release, revisionNumberIn(query, field)));
  const numbers = { before: before!.revision, after: after!.revision };
  const diffs = await compareRevisions(before!, after!, cluster);
  const [earlier, later] = [before!, after!].map((revision) => ({ revision, recording: recordingOf(revision) }));
  const unrecorded = [earlier!, later!].filter(({ recording }) => recording === undefined);
  return {
    ...numbers,
    objects: diffs.map((diff) => ({ ref: diff.ref, ...manifestDiffOf(diff, numbers) })),
    ...(unrecorded.length > 0 ? {} : { times: timesOf(earlier!, later!) }),
    notices: unrecorded.map(({ revision }) => `Revision ${revision.revision}: ${whyUnrecorded(revision.revision, revisions)}`),
  };
}

type RecordedRevision = { readonly revision: Revision; readonly recording: Recording | undefined };

function timesOf(before: RecordedRevision, after: RecordedRevision): NonNullable<RevisionComparison["times"]> {
  const [one, other] = [before, after].map(({ revision, recording }) => timelineOf(recording!, { endInRecord: endInRecord(revision) }));
  const { beforeMs, afterMs, slower, faster, added, removed } = compareTimelines(one!, other!);
  return { beforeMs, afterMs, slower: shown(slower), faster: shown(faster), added: shown(added), removed: shown(removed) };
}

/** More than a person compares. */
const maxRows = 200;

function shown(rows: readonly RowComparison[]): readonly ObjectTimes[] {
  return rows.slice(0, maxRows);
}

function releaseNamedIn(query: URLSearchParams): Release {
  return { namespace: requiredIn(query, "namespace"), name: requiredIn(query, "name") };
}

async function readRecords(release: Release, cluster: Cluster) {
  const reader = new RecordReader(release, cluster);
  const { revisions, recordings } = await reader.read();
  const recordingOf = (revision: Revision): Recording | undefined => {
    const found = reader.recordingOf(revision, recordings);
    if (found instanceof Error) throw found;
    return found;
  };
  return { revisions, recordingOf };
}
