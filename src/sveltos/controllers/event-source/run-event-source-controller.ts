import { clusterReferredTo, gvkOf, type KindName } from "../../api/index.ts";
import { clusterIdOf, clusterKey } from "../../fleet/index.ts";
import { roleRequestLabel, tenantLabelsOf } from "../../tenant/index.ts";
import { secretKind, type ControllerContext } from "../context/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, fieldsAt, listAt, type KubeObject } from "../../../core/object/index.ts";
import { runControlLoop, WorkQueue, type Source } from "../../../reconcile/index.ts";
import { EventSourceIndex, triggerKindNames } from "./event-source-index.ts";
import { EventSourceReconciler } from "./event-source-reconciler.ts";
import { eventSourceIdentity, type EventSourceKey } from "./event-source-key.ts";
import { clusterOfEventReport, eventSourceOfReport } from "./event-report-owner.ts";
import { EventSourceStatusWriter } from "./event-source-status-writer.ts";

const kinds = ["EventSource", "EventReport", "ClusterSet", "RoleRequest", ...triggerKindNames] as const;

/** Writes the EventReports of the clusters that this replica owns, and the statuses of EventSources, until the signal aborts. */
export async function runEventSourceController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const { clock, random, onRecovery } = context.hub;
  const queue = new WorkQueue<EventSourceKey>({
    clock,
    random,
    onRecovery,
    identity: eventSourceIdentity,
    laneOf: ({ cluster }) => cluster,
    report: context.telemetry.failureReporter("events"),
  });
  context.telemetry.watchQueue("events", queue);
  const index = new EventSourceIndex(context, (key) => queue.add(key), signal);
  const statuses = new EventSourceStatusWriter(context);
  const reconciler = new EventSourceReconciler(context, { index, statuses, queue }, signal);
  const synced = Promise.withResolvers<void>();
  const enqueuing = enqueueFleetEvents(context, index, queue, synced.resolve, signal);
  const writingStatuses = statuses.run(signal);
  try {
    await Promise.race([Promise.all([synced.promise, context.cache.waitForSync([...kinds.map(gvkOf), secretKind])]), enqueuing]);
    await runControlLoop(sourcesOf(context, index, statuses), queue, (key, each) => reconciler.reconcile(key, each), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    reconciler.close();
  }
  await Promise.all([enqueuing, writingStatuses]);
}

async function enqueueFleetEvents(
  context: ControllerContext,
  index: EventSourceIndex,
  queue: WorkQueue<EventSourceKey>,
  synced: () => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of context.fleet.events(signal)) {
    if (event.type === "synced") synced();
    else {
      index.updateCluster(event.cluster.key);
      queue.add({ cluster: event.cluster.key });
    }
  }
}

type EventSourceSource = Source<EventSourceKey>;

function sourcesOf({ cache }: ControllerContext, index: EventSourceIndex, statuses: EventSourceStatusWriter): readonly EventSourceSource[] {
  const source = (kind: KindName, keysOf: EventSourceSource["keysOf"]): EventSourceSource => ({
    events: cache.informerFor(gvkOf(kind)),
    keysOf,
  });
  const keysOfTenants = (isConcerned: (cluster: string) => boolean): readonly EventSourceKey[] =>
    [...cache.all(gvkOf("EventSource"))]
      .filter(({ metadata }) => Object.keys(tenantLabelsOf(metadata.labels)).length > 0)
      .flatMap(({ metadata: { name, labels } }) => {
        if (labels?.["projectsveltos.io/admin-name"] !== undefined) statuses.enqueue(name);
        return [...index.clustersUsing(name)].filter(({ cluster }) => isConcerned(cluster));
      });
  return [
    ...triggerKindNames.map((kind) => source(kind, (change) => (isSpecChange(change) ? index.updateTrigger(change.object) : []))),
    source("ClusterSet", ({ object }) => index.updateClusterSet(object.metadata.name)),
    // RoleRequests say which tenant an admin is, and their statuses what is granted to it where.
    source("RoleRequest", (change) => {
      const clusters = clustersGrantedBy(change);
      return keysOfTenants((cluster) => clusters === "all" || clusters.has(cluster));
    }),
    {
      events: cache.informerFor(secretKind),
      keysOf: ({ type, object: { metadata } }) =>
        type !== "modified" && metadata.labels?.[roleRequestLabel] !== undefined
          ? keysOfTenants((cluster) => clusterIdOf(cluster).namespace === metadata.namespace)
          : [],
    },
    source("EventSource", (change) => {
      statuses.enqueue(change.object.metadata.name);
      return isSpecChange(change) ? index.clustersUsing(change.object.metadata.name) : [];
    }),
    source("EventReport", ({ object }) => {
      const [cluster, name] = [clusterOfEventReport(object), eventSourceOfReport(object)];
      if (cluster === undefined) return [];
      const isUsed = index.inCluster(cluster).uses.some(({ eventSource }) => eventSource === name);
      return [isUsed ? { cluster, eventSource: name } : { cluster }];
    }),
  ];
}

/** The clusters in which a change of a RoleRequest begins or ends something, by the fleet's key. */
function clustersGrantedBy(change: ObjectChange): ReadonlySet<string> | "all" {
  if (change.type !== "modified" || isSpecChange(change)) return "all";
  const [before, now] = [statesIn(change.previous), statesIn(change.object)];
  return new Set([...before.keys(), ...now.keys()].filter((key) => before.get(key) !== now.get(key)));
}

function statesIn(request: KubeObject): ReadonlyMap<string, unknown> {
  const states = listAt(request, "status.clusterInfo").flatMap((info) => {
    const id = clusterReferredTo(fieldsAt(info, "cluster"));
    return id === undefined ? [] : [[clusterKey(id), info["status"]] as const];
  });
  return new Map(states);
}

/** Changes of a status alone do not count. */
function isSpecChange(change: ObjectChange): boolean {
  if (change.type !== "modified") return true;
  const { generation, deletionTimestamp, labels } = change.object.metadata;
  const before = change.previous.metadata;
  return generation !== before.generation || deletionTimestamp !== before.deletionTimestamp || !equal(labels, before.labels);
}
