import { clusterReference, gvkOf, objectionTo, readClusterSet, type ClusterId } from "../api/index.ts";
import { Informer, isConflict, isNotFound, type Cluster, type ObjectChange } from "../../kube/index.ts";
import { equal, fieldsAt, listAt, refOf, stringAt, type KubeObject } from "../../core/object/index.ts";
import { control, settled, WorkQueue, type Outcome, type Report } from "../../reconcile/index.ts";
import type { Fleet } from "./fleet.ts";
import { choose, clusterOf } from "./match.ts";

/** Keeps in the status of every ClusterSet and Set which clusters match it and which are selected, until the signal aborts. One replica at a time should. */
export async function keepSets(hub: Cluster, fleet: Fleet, signal: AbortSignal, report: Report = () => {}): Promise<void> {
  const informers = (["ClusterSet", "Set"] as const).map((kind) => new Informer(hub, gvkOf(kind), { signal }));
  const queue = new WorkQueue({ clock: hub.clock, random: hub.random, report });
  const all = () => informers.flatMap(({ store }) => [...store.all()]);
  const reconcile = async (key: string, each: AbortSignal): Promise<Outcome> => {
    const object = all().find((set) => keyOf(set) === key);
    if (object !== undefined) await settle(hub, object, fleet, each);
    return settled;
  };
  const listening = (async () => {
    // Which clusters match depends on all of them, and to choose takes no request.
    for await (const _ of fleet.events(signal)) for (const set of all()) queue.add(keyOf(set));
  })();
  const sources = informers.map((changes) => ({ changes, keysOf: ({ object }: ObjectChange) => [keyOf(object)] }));
  await control(sources, queue, reconcile, signal);
  await listening;
}

/** The clusters that a ClusterSet or Set has selected, as its status says. */
export function selectedBy(set: KubeObject | undefined): readonly ClusterId[] {
  return listAt(set, "status.selectedClusterRefs").flatMap((ref) => {
    const text = (field: string) => stringAt(ref, field, "");
    return clusterOf({ kind: text("kind"), namespace: text("namespace"), name: text("name") }) ?? [];
  });
}

function keyOf({ kind, metadata: { namespace = "", name } }: KubeObject): string {
  return `${kind}/${namespace}/${name}`;
}

async function settle(hub: Cluster, object: KubeObject, fleet: Fleet, signal: AbortSignal): Promise<void> {
  const status = statusOf(object, fleet);
  if (equal(status, { failureMessage: null, matchingClusterRefs: [], selectedClusterRefs: [], ...fieldsAt(object, "status") })) return;
  const { resourceVersion } = object.metadata;
  try {
    await hub.patch(refOf(object), { type: "merge", patch: { metadata: { resourceVersion }, status } }, { subresource: "status", signal });
  } catch (error) {
    // It has changed or is gone, which we shall hear of.
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

/** A set that cannot be read keeps what it had: nothing is withdrawn because of a typing error. */
function statusOf(object: KubeObject, fleet: Fleet) {
  const reading = readClusterSet(object);
  const before = fieldsAt(object, "status");
  const { matchingClusterRefs = [], selectedClusterRefs = [] } = before;
  const failureMessage = objectionTo(reading) ?? null;
  if (reading.state === "invalid" || failureMessage !== null) return { failureMessage, matchingClusterRefs, selectedClusterRefs };
  const { matching, selected } = choose(reading.value, fleet.managed(), selectedBy(object));
  return { failureMessage, matchingClusterRefs: matching.map(clusterReference), selectedClusterRefs: selected.map(clusterReference) };
}
