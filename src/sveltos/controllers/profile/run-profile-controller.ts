import { gvkOf, type KindName } from "../../api/index.ts";
import { clusterKey, type FleetEvent } from "../../fleet/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
import { runControlLoop, WorkQueue, type ReconcileResult, type Source } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { ProfileIndex, clusterOfConfiguration, clusterOfClusterReport, profileDependenciesOf, ownersOf } from "./profile-index.ts";
import { cleanUpCluster } from "./clean-up-cluster.ts";
import { clusterKeyOfSummary, profileIdOf, profileKeyIdentity, type ProfileId, type ProfileKey } from "./profile-key.ts";
import { reconcileProfile } from "./reconcile-profile.ts";

const kinds: readonly KindName[] = [
  "ClusterProfile",
  "Profile",
  "ClusterSummary",
  "ClusterSet",
  "Set",
  "RoleRequest",
  "ClusterConfiguration",
  "ClusterReport",
];

type ProfileSource = Source<ProfileKey>;

/** Reconciles all ClusterProfiles and Profiles until the signal aborts. It must run in one replica at a time. */
export async function runProfileController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { hub, cache, fleet, telemetry } = context;
  // Each profile is a lane of its own: the failure of one must not slow down the others.
  const queue = new WorkQueue<ProfileKey>({
    clock: hub.clock,
    random: hub.random,
    onRecovery: hub.onRecovery,
    identity: profileKeyIdentity,
    laneOf: profileKeyIdentity,
    perLane: 1,
    report: telemetry.failureReporter("profiles"),
  });
  telemetry.watchQueue("profiles", queue);
  const profileIndex = new ProfileIndex(cache);
  const synced = Promise.withResolvers<void>();
  const enqueuing = (async () => {
    for await (const event of fleet.events(signal)) {
      if (event.type === "synced") synced.resolve();
      else for (const key of keysOfFleetEvent(event, profileIndex)) queue.add(key);
    }
    synced.resolve();
  })();
  // Before the fleet is synced, an unknown cluster would be taken for a deleted one.
  await synced.promise;
  if (!signal.aborted) await cache.waitForSync(kinds.map(gvkOf)).catch((error: unknown) => failUnless(signal.aborted, error));
  const reconcile = (key: ProfileKey, each: AbortSignal): Promise<ReconcileResult> =>
    key.type === "profile"
      ? reconcileProfile(key.profile, profileIndex, context, each)
      : cleanUpCluster(key.cluster, profileIndex, context, each);
  await runControlLoop(sourcesFor(context, profileIndex), queue, reconcile, signal);
  await enqueuing;
}

function failUnless(expected: boolean, error: unknown): void {
  if (!expected) throw error;
}

function* keysOfFleetEvent(event: Exclude<FleetEvent, { type: "synced" }>, profileIndex: ProfileIndex): Iterable<ProfileKey> {
  if (event.type === "gone") yield { type: "gone cluster", cluster: event.cluster.key };
  yield* keysOf(profileIndex.profilesAffectedBy(event.cluster.managed));
}

function sourcesFor({ cache, fleet }: ControllerContext, profileIndex: ProfileIndex): readonly ProfileSource[] {
  const source = (kind: KindName, keysOfChange: ProfileSource["keysOf"]): ProfileSource => ({
    events: cache.informerFor(gvkOf(kind)),
    keysOf: keysOfChange,
  });
  const ifGone = (cluster: string | undefined): readonly ProfileKey[] =>
    cluster === undefined || fleet.find(cluster) !== undefined ? [] : [{ type: "gone cluster", cluster }];
  return [
    source("ClusterProfile", (change) => keysOfProfile(change, profileIndex)),
    source("Profile", (change) => keysOfProfile(change, profileIndex)),
    source("RoleRequest", () => keysOf(profilesNamingAdmin(cache))),
    source("ClusterSet", ({ object }) => keysOf(profileIndex.profilesUsingSet(object))),
    source("Set", ({ object }) => keysOf(profileIndex.profilesUsingSet(object))),
    source("ClusterSummary", ({ object }) => [...keysOf(ownersOf(object)), ...ifGone(clusterKeyOfSummary(object))]),
    source("ClusterConfiguration", ({ object }) => ifGone(keyOfConfiguration(object))),
    source("ClusterReport", ({ object }) => ifGone(clusterKey(clusterOfClusterReport(object)))),
  ];
}

/** Which tenant they mean, RoleRequests say. */
function profilesNamingAdmin(cache: ControllerContext["cache"]): readonly ProfileId[] {
  const profiles = (["ClusterProfile", "Profile"] as const).flatMap((kind) => [...cache.all(gvkOf(kind))]);
  return profiles.filter(({ metadata }) => metadata.labels?.["projectsveltos.io/admin-name"] !== undefined).map(profileIdOf);
}

function keyOfConfiguration(configuration: KubeObject): string | undefined {
  const id = clusterOfConfiguration(configuration);
  return id === undefined ? undefined : clusterKey(id);
}

/** The profile itself, and its dependents when its dependencies have changed: they may be in a cycle with it now, or no longer. */
function keysOfProfile(change: ObjectChange, profileIndex: ProfileIndex): Iterable<ProfileKey> {
  const profile = profileIdOf(change.object);
  const isSame = change.type === "modified" && equal(profileDependenciesOf(change.previous), profileDependenciesOf(change.object));
  return keysOf(isSame ? [profile] : [profile, ...profileIndex.dependentsOf(profile)]);
}

function keysOf(profiles: Iterable<ProfileId>): readonly ProfileKey[] {
  return [...profiles].map((profile) => ({ type: "profile", profile }));
}
