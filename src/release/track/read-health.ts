import { failedBecause, noStatusMs, progressingBecause, readyWith, type Health } from "../../health/index.ts";
import { hasStatus, isApiFault, isForbidden, type Cluster, type Resource } from "../../kube/index.ts";
import { findCondition, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { AttendanceOf } from "./attendance.ts";
import { gateCheckOf, type GateContext } from "./gate-check.ts";
import { assumedReady, defaultSchedulingTimeoutMs } from "./grace-periods.ts";
import { readRelatedObjects, type RelatedObjects } from "./related-objects.ts";
import type { WaitTarget } from "./wait-target.ts";

/** An object and the gates to check. */
export type HealthQuery = Pick<WaitTarget, "ref" | "gates" | "tracking" | "resource" | "uid">;

/** The health of an object. `ready` means that its gates are open. */
export type ObjectHealth = {
  readonly ref: ObjectRef;
  readonly live?: KubeObject;
  readonly health: Health;
  /** It may not be read, so nobody knows whether it exists. */
  readonly hidden?: string;
};

/** An object as it was found, before its gates are checked. */
export type FoundObject = {
  readonly query: HealthQuery;
  readonly resource?: Resource;
  readonly live?: KubeObject;
  readonly hidden?: string;
};

export type HealthOptions = {
  readonly signal: AbortSignal;
  /** Finds out whether somebody works on objects. Default: somebody does. */
  readonly attendanceOf?: AttendanceOf;
  /** Objects that were read already, such as by a list. Others are read one by one. Default: none. */
  readonly known?: (ref: ObjectRef) => KubeObject | undefined;
};

/** The maximum of concurrent requests. */
const maxConcurrency = 20;

/**
 * Reads the health of objects once, with their pods and FailedCreate events, in the order of the queries. Waits use the
 * same rules, with grace periods.
 */
export async function readHealth(
  query: readonly HealthQuery[],
  cluster: Cluster,
  { signal, known = () => undefined, attendanceOf = () => undefined }: HealthOptions,
): Promise<readonly ObjectHealth[]> {
  const seen = query.map((each): FoundObject => ({ query: each }));
  const queue = query.entries();
  const work = async () => {
    for (const [at, each] of queue) seen[at] = await findObject(each, cluster, known, signal);
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrency, query.length) }, work));
  const related = await readRelatedObjects(seen, cluster, signal);
  return Promise.all(
    seen.map(async (each) => {
      const found = objectHealthOf(each, related, cluster);
      const unattended = found.live === undefined ? undefined : await attendanceOf(found.ref)?.();
      return unattended === undefined ? found : { ...found, health: unattendedHealth(healthOf(each, related), unattended) };
    }),
  );
}

/** What a status says may be out of date, and one that is missing does not come. */
function unattendedHealth(health: Health, because: string): Health {
  if (health.state === "ready")
    return readyWith(`${health.note === undefined ? "" : `${health.note}; `}as its status says, and ${because}`);
  const text = `${health.because}: ${because}`;
  return health.state === "failed" ? failedBecause(text) : progressingBecause(text);
}

async function findObject(
  query: HealthQuery,
  cluster: Cluster,
  known: NonNullable<HealthOptions["known"]>,
  signal: AbortSignal,
): Promise<FoundObject> {
  const { ref, resource: name } = query;
  const resource = await (name === undefined ? cluster.discovery.find(ref) : cluster.discovery.findByName(name));
  if (resource === undefined) return { query };
  const { group, version, kind, namespaced } = resource;
  const namespace = namespaced ? ref.namespace || cluster.namespace : "";
  const read = known(ref);
  if (read !== undefined) return { query, resource, live: read };
  try {
    const live = await cluster.find({ group, version, kind, namespace, name: ref.name }, { signal });
    return { query, resource, ...(live === undefined ? {} : { live }) };
  } catch (error) {
    if (isApiFault(error) && isForbidden(error)) return { query, resource, hidden: error.explanation };
    throw error;
  }
}

function objectHealthOf(seen: FoundObject, related: RelatedObjects, cluster: Cluster): ObjectHealth {
  const { query, resource, live, hidden } = seen;
  const ref = resource === undefined ? query.ref : properRef(query.ref, resource, cluster);
  const health = afterGracePeriod(healthOf(seen, related), seen, related, cluster);
  return { ref, ...(live === undefined ? {} : { live }), ...(hidden === undefined ? {} : { hidden }), health };
}

/** The ref as discovery spells it, when the query has a resource argument. */
function properRef(ref: ObjectRef, { group, version, kind, namespaced }: Resource, cluster: Cluster): ObjectRef {
  return { group, version, kind, namespace: namespaced ? ref.namespace || cluster.namespace : "", name: ref.name };
}

function healthOf({ query, resource, live, hidden }: FoundObject, related: RelatedObjects): Health {
  const { gates, tracking, ref, uid } = query;
  const wantsAbsence = gates.some(({ until }) => until === "absent");
  if (resource === undefined) {
    const because = `the cluster does not serve ${query.resource ?? ref.kind}`;
    return wantsAbsence ? readyWith(because) : progressingBecause(because);
  }
  if (hidden !== undefined) return progressingBecause(`it cannot be looked at: ${hidden}`);
  const context: GateContext = {
    ...related,
    all: (kind) => related.all(kind, live?.metadata.namespace ?? ""),
    hasStatus: hasStatus(resource),
    ...(uid === undefined ? {} : { uid }),
  };
  return gateCheckOf(gates, tracking)(live, context);
}

/** Objects without a status count as ready, and pods that find no node as failed, after the same times as in a wait. */
function afterGracePeriod(health: Health, { query, live }: FoundObject, related: RelatedObjects, { clock }: Cluster): Health {
  if (live === undefined) return health;
  if (health.state === "progressing" && health.silent === true) {
    const age = clock.now() - Date.parse(live.metadata.creationTimestamp ?? "");
    return age >= noStatusMs ? assumedReady(health.because) : health;
  }
  if (health.state !== "failed" || health.noRoom !== "unscheduled") return health;
  const { schedulingTimeoutMs = defaultSchedulingTimeoutMs } = query.tracking;
  const since = unscheduledSince([live, ...related.pods(live)]);
  return clock.now() - since < schedulingTimeoutMs ? progressingBecause(health.because) : health;
}

/** When the first of the pods that find no node was tried, as far as they tell. */
function unscheduledSince(pods: readonly KubeObject[]): number {
  const times = pods.map((pod) => Date.parse(findCondition(pod, "PodScheduled", "False")?.lastTransitionTime ?? ""));
  return Math.min(...times.filter((time) => !Number.isNaN(time)));
}
