import type { KubeObject } from "../../core/object/index.ts";
import type { ObjectChange } from "../../kube/index.ts";
import { gvkOf } from "../../sveltos/api/index.ts";
import { occurrenceKinds } from "../../sveltos/inspect/index.ts";
import { capiClusterKind } from "../fleet/fleet-reading.ts";
import { reduceFleetObject } from "../fleet/reduce-fleet-object.ts";
import { followKinds } from "../follow-kinds.ts";
import type { ViewContext } from "../view-context.ts";
import { FleetOverview } from "./fleet-overview.ts";

const event = { group: "", version: "v1", kind: "Event" };
/** A large fleet is looked at less often: it takes at most this part of the time. */
const pause = 10;

/** Shows how the fleet is doing that the cluster manages: counts, and what fails, by cause. Where there is none, nothing. */
export async function showFleet(context: ViewContext): Promise<void> {
  const { cluster, publish, signal } = context;
  const overview = new FleetOverview();
  const onChange = ({ type, object }: ObjectChange) => overview.put(object, type === "deleted");
  let dueAt = 0;
  let isDue = false;
  const show = () => {
    isDue = false;
    if (signal.aborted) return;
    const before = cluster.clock.now();
    publish(overview.takeChanges(before));
    const after = cluster.clock.now();
    dueAt = after + (after - before) * pause;
  };
  const flush = () => {
    if (isDue) return;
    isDue = true;
    cluster.clock.after(Math.max(0, dueAt - cluster.clock.now()), show);
  };
  const kinds = occurrenceKinds.map((kind) => ({ target: gvkOf(kind), transform: reduceFleetObject, onChange }));
  const capi = { target: await capiClusterKind(cluster), transform: reduceFleetObject, onChange };
  const events = { target: event, selection: { fieldSelector: "source=sluice" }, transform: reduceEvent, onChange };
  await followKinds([...kinds, capi, events], context, flush);
}

/** Keeps of an Event what is said. */
function reduceEvent(object: KubeObject): KubeObject {
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}
