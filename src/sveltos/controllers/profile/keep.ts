import { gvkOf, type KindName } from "../../api/index.ts";
import { clusterKey, type FleetEvent } from "../../fleet/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
import { control, WorkQueue, type Outcome, type Source } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import { Books, clusterOfConfiguration, clusterOfReport, keyFor, needsOf, ownerKeysOf } from "./books.ts";
import { clearUp } from "./gone.ts";
import { clusterKeyOfSummary } from "./key.ts";
import { settleProfile } from "./settle.ts";

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
const ofGone = "gone cluster ";

/** Keeps the ClusterSummaries and the status of every ClusterProfile and Profile, until the signal aborts. One replica at a time may. */
export async function keepProfiles(desk: Desk, signal: AbortSignal): Promise<void> {
  const { hub, copies, fleet, chronicle } = desk;
  // Each profile is a lane of its own: one that fails says nothing about the others.
  const queue = new WorkQueue({
    clock: hub.clock,
    random: hub.random,
    laneOf: (key) => key,
    perLane: 1,
    report: chronicle.failures("profiles"),
  });
  chronicle.watch("profiles", queue);
  const books = new Books(copies);
  const synced = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const event of fleet.events(signal)) {
      if (event.type === "synced") synced.resolve();
      else for (const key of concernedBy(event, books)) queue.add(key);
    }
    synced.resolve();
  })();
  // While clusters are not all known, one that is missing may only not have been told of yet.
  await synced.promise;
  if (!signal.aborted) await copies.ready(kinds.map(gvkOf)).catch((error: unknown) => failUnless(signal.aborted, error));
  const reconcile = (key: string, each: AbortSignal): Promise<Outcome> =>
    key.startsWith(ofGone) ? clearUp(key.slice(ofGone.length), books, desk, each) : settleProfile(key, books, desk, each);
  await control(sourcesFor(desk, books), queue, reconcile, signal);
  await listening;
}

function failUnless(expected: boolean, error: unknown): void {
  if (!expected) throw error;
}

function* concernedBy(event: Exclude<FleetEvent, { type: "synced" }>, books: Books): Iterable<string> {
  if (event.type === "gone") yield ofGone + event.cluster.key;
  yield* books.concernedBy(event.cluster.managed);
}

function sourcesFor({ copies, fleet }: Desk, books: Books): readonly Source[] {
  const source = (kind: KindName, keysOf: Source["keysOf"]): Source => ({ changes: copies.of(gvkOf(kind)), keysOf });
  const ifGone = (cluster: string | undefined) => (cluster === undefined || fleet.find(cluster) !== undefined ? [] : [ofGone + cluster]);
  return [
    source("ClusterProfile", (change) => keysOfProfile(change, books)),
    source("Profile", (change) => keysOfProfile(change, books)),
    source("ClusterSet", ({ object }) => books.namingSet(object)),
    source("Set", ({ object }) => books.namingSet(object)),
    source("ClusterSummary", ({ object }) => [...ownerKeysOf(object), ...ifGone(clusterKeyOfSummary(object))]),
    source("ClusterConfiguration", ({ object }) => ifGone(keyOfConfiguration(object))),
    source("ClusterReport", ({ object }) => ifGone(clusterKey(clusterOfReport(object)))),
  ];
}

function keyOfConfiguration(configuration: KubeObject): string | undefined {
  const id = clusterOfConfiguration(configuration);
  return id === undefined ? undefined : clusterKey(id);
}

/** A profile itself; and those that depend on it, which may be in a circle with it now or no longer. */
function keysOfProfile(change: ObjectChange, books: Books): Iterable<string> {
  const key = keyFor(change.object);
  const isOld = change.type === "modified" && equal(needsOf(change.previous), needsOf(change.object));
  return isOld ? [key] : [key, ...books.dependentsOf(key)];
}
