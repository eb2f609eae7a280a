import { gvkOf, type KindName } from "../../api/index.ts";
import type { Desk } from "../context/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal } from "../../../core/object/index.ts";
import { control, WorkQueue, type Source } from "../../../reconcile/index.ts";
import { Demand, triggerKinds } from "./demand.ts";
import { Keeper } from "./keeper.ts";
import { clusterIn, sourceKey } from "./key.ts";
import { clusterOfReport, sourceOfReport } from "./report-index.ts";
import { Statuses } from "./statuses.ts";

const kinds = ["EventSource", "EventReport", "ClusterSet", ...triggerKinds] as const;

/** Keeps the EventReports of all clusters that this replica attends to, and the statuses of EventSources, until the signal aborts. */
export async function keepEvents(desk: Desk, signal: AbortSignal): Promise<void> {
  const { clock, random } = desk.hub;
  const queue = new WorkQueue({ clock, random, laneOf: clusterIn, report: desk.chronicle.failures("events") });
  desk.chronicle.watch("events", queue);
  const demand = new Demand(desk);
  const statuses = new Statuses(desk);
  const keeper = new Keeper(desk, { demand, statuses, queue }, signal);
  const synced = Promise.withResolvers<void>();
  const listening = listen(desk, demand, queue, synced.resolve, signal);
  const stating = statuses.run(signal);
  try {
    await Promise.race([Promise.all([synced.promise, desk.copies.ready(kinds.map(gvkOf))]), listening]);
    await control(sourcesOf(desk, demand, statuses), queue, (key, each) => keeper.reconcile(key, each), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    keeper.close();
  }
  await Promise.all([listening, stating]);
}

async function listen(desk: Desk, demand: Demand, queue: WorkQueue, synced: () => void, signal: AbortSignal): Promise<void> {
  for await (const event of desk.fleet.events(signal)) {
    if (event.type === "synced") synced();
    else {
      demand.takeCluster(event.cluster.key);
      queue.add(event.cluster.key);
    }
  }
}

function sourcesOf({ copies }: Desk, demand: Demand, statuses: Statuses): readonly Source[] {
  const source = (kind: KindName, keysOf: Source["keysOf"]): Source => ({ changes: copies.of(gvkOf(kind)), keysOf });
  return [
    ...triggerKinds.map((kind) => source(kind, (change) => (isMeant(change) ? demand.takeTrigger(change.object) : []))),
    source("ClusterSet", ({ object }) => demand.takeSet(object.metadata.name)),
    source("EventSource", (change) => {
      statuses.touch(change.object.metadata.name);
      return isMeant(change) ? demand.wanting(change.object.metadata.name) : [];
    }),
    source("EventReport", ({ object }) => {
      const [cluster, name] = [clusterOfReport(object), sourceOfReport(object)];
      if (cluster === undefined) return [];
      const isWanted = demand.of(cluster).wants.some(({ eventSource }) => eventSource === name);
      return [isWanted ? sourceKey(cluster, name) : cluster];
    }),
  ];
}

/** A status says nothing to those who act on what users want. */
function isMeant(change: ObjectChange): boolean {
  if (change.type !== "modified") return true;
  const { generation, deletionTimestamp, labels } = change.object.metadata;
  const before = change.previous.metadata;
  return generation !== before.generation || deletionTimestamp !== before.deletionTimestamp || !equal(labels, before.labels);
}
