import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { proposeDeploy, type DeployRequest, type Proposal } from "../deploy/index.ts";
import { namespacesWithPods, readPodEvidence, readRecentRecordings, type Recording } from "../recording/index.ts";
import type { Release } from "../record/index.ts";
import { assumedObjects } from "./assumed-objects.ts";
import { customResourceEvidence } from "./custom-resource-evidence.ts";
import type { DurationEvidence } from "./learn-behaviour.ts";
import { planRefsOf } from "./plan-refs.ts";
import { readMissingRights } from "../rights/index.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a deploy would do, by the live cluster's dry runs, and what a rehearsal of it needs to know. */
export type RehearsalInput = { readonly proposal: Proposal; readonly snapshot: Snapshot };

/** Proposes a deploy on the live cluster and reads what it touches. Throws all problems at once, as a deploy would, and changes nothing. */
export async function readForRehearsal(
  request: DeployRequest,
  live: Cluster,
  options: { readonly signal: AbortSignal; readonly historyMax?: number },
): Promise<RehearsalInput> {
  const { signal } = options;
  const proposal = await proposeDeploy(request, live, options);
  const scope = { refs: planRefsOf(proposal.plan), namespaces: [request.release.namespace] };
  const [snapshot, recorded, pods, missingRights] = await Promise.all([
    readSnapshot(scope, live, signal),
    readRecordings(request.release, live, signal),
    readPodEvidence(namespacesWithPods(proposal.plan), 0, live, signal),
    readMissingRights(proposal, live, signal),
  ]);
  const evidence = [
    ...recorded.slice(0, 1).map((recording) => evidenceIn(recording, snapshot.objects)),
    { from: "live pods", pods },
    ...recorded.slice(1).map(failedPullsIn),
  ];
  const objects = [...snapshot.objects, ...assumedObjects(proposal.plan, snapshot)];
  return { proposal, snapshot: { ...snapshot, objects, missingRights, evidence } };
}

function evidenceIn({ runs, subject }: Recording, live: readonly KubeObject[]): DurationEvidence {
  return { from: nameOf(subject), pods: runs.flatMap(({ pods }) => pods), customResources: customResourceEvidence(runs, live) };
}

/** Of a deploy that has failed and was rolled back, an earlier recording tells: the images that could not be pulled. */
function failedPullsIn({ runs, subject }: Recording): DurationEvidence {
  const pods = runs.flatMap((run) => run.pods.filter(({ containers }) => containers.some(({ pullError }) => pullError !== undefined)));
  return { from: nameOf(subject), pods };
}

function nameOf(subject: Recording["subject"]): string {
  return subject.type === "release" ? `the recording of revision ${subject.revision}` : "a recording";
}

/** A rollback of a failed deploy has a recording of its own, so the latest one does not tell of the failure. */
const maxRecordings = 5;

/** The latest recordings of the release, newest first. There may be none that anybody here can read. */
async function readRecordings(release: Release, live: Cluster, signal: AbortSignal): Promise<readonly Recording[]> {
  try {
    return await readRecentRecordings(release, maxRecordings, live, { signal });
  } catch (error) {
    if (error instanceof Fault && !signal.aborted) return [];
    throw error;
  }
}
