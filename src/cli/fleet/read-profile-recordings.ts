import { Fault } from "../../core/fault/index.ts";
import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { profileLocation, readRecordingAt, readReleaseRecording, type Recording } from "../../release/recording/index.ts";
import { clusterText } from "../../view/index.ts";
import {
  clusterRefIn,
  isClusterCalled,
  requireCluster,
  requireProfile,
  type OnUnreadable,
  ManagedClusters,
  ownerProfileOf,
  matchesProfile,
  profileFilterText,
  type ProfileFilter,
} from "../../sveltos/inspect/index.ts";
import { listSveltosObjects } from "../../sveltos/fleet/index.ts";

/** Reads how a profile was last deployed to a cluster: its resources, and the release of each of its charts. */
export async function readProfileRecordings(
  profile: ProfileFilter,
  cluster: string,
  hub: Cluster,
  warn: OnUnreadable,
  signal: AbortSignal,
): Promise<readonly Recording[]> {
  const all = await listSveltosObjects(hub, "ClusterSummary", { signal });
  const summaries = all.filter((summary) => {
    const owner = ownerProfileOf(summary);
    return owner !== undefined && matchesProfile(owner, profile) && isClusterCalled(clusterRefIn(summary), cluster);
  });
  if (summaries.length === 0) throw await notDeployed(profile, cluster, hub, signal);
  const found = (await Promise.all(summaries.map((summary) => recordingsOf(summary, hub, warn, signal)))).flat();
  if (found.length > 0) return found;
  throw new Fault(
    `read the timeline of ${profileFilterText(profile)} in cluster ${cluster}`,
    "there is no recording: the controller keeps one of the next deployment, unless it runs with --no-recording",
    { final: true },
  );
}

async function recordingsOf(summary: KubeObject, hub: Cluster, warn: OnUnreadable, signal: AbortSignal): Promise<readonly Recording[]> {
  const { namespace = "", name } = summary.metadata;
  const [resources, charts] = await Promise.all([
    readRecordingAt(profileLocation(namespace, name, "Resources"), hub, { signal }),
    chartRecordings(summary, hub, warn, signal),
  ]);
  return [...(resources === undefined ? [] : [resources]), ...charts];
}

/** The recordings of charts are in the managed cluster, beside the records of their releases. */
async function chartRecordings(summary: KubeObject, hub: Cluster, warn: OnUnreadable, signal: AbortSignal): Promise<readonly Recording[]> {
  const managed = listAt(summary, "status.helmReleaseSummaries").filter((entry) => stringAt(entry, "status") === "Managing");
  if (managed.length === 0) return [];
  const ref = clusterRefIn(summary);
  const clusters = await ManagedClusters.list(hub, signal);
  const releases = managed.map((entry) => ({
    name: stringAt(entry, "releaseName", ""),
    namespace: stringAt(entry, "releaseNamespace", ""),
  }));
  const answers = await Promise.all(
    releases.map((release) => clusters.ask(ref, (target, limited) => readReleaseRecording(release, target, { signal: limited }), signal)),
  );
  return answers.flatMap((answer) => {
    if ("value" in answer) return [answer.value];
    warn(`in cluster ${clusterText(ref)}: ${answer.because}`);
    return [];
  });
}

async function notDeployed(profile: ProfileFilter, cluster: string, hub: Cluster, signal: AbortSignal): Promise<Fault> {
  await requireCluster(hub, cluster, undefined, signal);
  await requireProfile(hub, profile, signal);
  return new Fault(
    `read the timeline of ${profileFilterText(profile)} in cluster ${cluster}`,
    "the profile is not deployed there: sluice show addons lists what is",
    { final: true },
  );
}
