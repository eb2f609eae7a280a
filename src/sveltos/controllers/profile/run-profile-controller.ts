import { gvkOf, type KindName } from "../../api/index.ts";
import { clusterKey, type FleetEvent } from "../../fleet/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
import { runControlLoop, WorkQueue, type ReconcileResult, type Source } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import {
  ProfileIndex,
  clusterOfConfiguration,
  clusterOfClusterReport,
  profileKeyOf,
  profileDependenciesOf,
  ownerKeysOf,
} from "./profile-index.ts";
import { cleanUpCluster } from "./clean-up-cluster.ts";
import { clusterKeyOfSummary } from "./profile-key.ts";
import { reconcileProfile } from "./reconcile-profile.ts";

const kinds: readonly KindName[] = [
  "ClusterProfile",
  "Profile",
  "ClusterSummary",
  "ClusterSet",
  "Set",
  "ClusterConfiguration",
  "ClusterReport",
];

/** What is done for a cluster that is gone stands in the same queue as what is done for profiles. */
const goneClusterPrefix = "gone cluster ";

/** Keeps the ClusterSummaries and the status of every ClusterProfile and Profile, until the signal aborts. One replica at a time may. */
export async function runProfileController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { hub, cache, fleet, telemetry } = context;
  // Each profile is a lane of its own: one that fails says nothing about the others.
  const queue = new WorkQueue({
    clock: hub.clock,
    random: hub.random,
    laneOf: (key) => key,
    perLane: 1,
    report: telemetry.failureReporter("profiles"),
  });
  telemetry.watchQueue("profiles", queue);
  const profileIndex = new ProfileIndex(cache);
  const synced = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const event of fleet.events(signal)) {
      if (event.type === "synced") synced.resolve();
      else for (const key of keysOfFleetEvent(event, profileIndex)) queue.add(key);
    }
    synced.resolve();
  })();
  // While clusters are not all known, one that is missing may only not have been told of yet.
  await synced.promise;
  if (!signal.aborted) await cache.waitForSync(kinds.map(gvkOf)).catch((error: unknown) => failUnless(signal.aborted, error));
  const reconcile = (key: string, each: AbortSignal): Promise<ReconcileResult> =>
    key.startsWith(goneClusterPrefix)
      ? cleanUpCluster(key.slice(goneClusterPrefix.length), profileIndex, context, each)
      : reconcileProfile(key, profileIndex, context, each);
  await runControlLoop(sourcesFor(context, profileIndex), queue, reconcile, signal);
  await listening;
}

function failUnless(expected: boolean, error: unknown): void {
  if (!expected) throw error;
}

function* keysOfFleetEvent(event: Exclude<FleetEvent, { type: "synced" }>, profileIndex: ProfileIndex): Iterable<string> {
  if (event.type === "gone") yield goneClusterPrefix + event.cluster.key;
  yield* profileIndex.profilesAffectedBy(event.cluster.managed);
}

function sourcesFor({ cache, fleet }: ControllerContext, profileIndex: ProfileIndex): readonly Source[] {
  const source = (kind: KindName, keysOf: Source["keysOf"]): Source => ({ events: cache.informerFor(gvkOf(kind)), keysOf });
  const ifGone = (cluster: string | undefined) =>
    cluster === undefined || fleet.find(cluster) !== undefined ? [] : [goneClusterPrefix + cluster];
  return [
    source("ClusterProfile", (change) => keysOfProfile(change, profileIndex)),
    source("Profile", (change) => keysOfProfile(change, profileIndex)),
    source("ClusterSet", ({ object }) => profileIndex.profilesUsingSet(object)),
    source("Set", ({ object }) => profileIndex.profilesUsingSet(object)),
    source("ClusterSummary", ({ object }) => [...ownerKeysOf(object), ...ifGone(clusterKeyOfSummary(object))]),
    source("ClusterConfiguration", ({ object }) => ifGone(keyOfConfiguration(object))),
    source("ClusterReport", ({ object }) => ifGone(clusterKey(clusterOfClusterReport(object)))),
  ];
}

function keyOfConfiguration(configuration: KubeObject): string | undefined {
  const id = clusterOfConfiguration(configuration);
  return id === undefined ? undefined : clusterKey(id);
}

/** A profile itself; and those that depend on it, which may be in a circle with it now or no longer. */
function keysOfProfile(change: ObjectChange, profileIndex: ProfileIndex): Iterable<string> {
  const key = profileKeyOf(change.object);
  const isOld = change.type === "modified" && equal(profileDependenciesOf(change.previous), profileDependenciesOf(change.object));
  return isOld ? [key] : [key, ...profileIndex.dependentsOf(key)];
}
