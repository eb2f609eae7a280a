import type { ObjectChange, Selection } from "../../kube/index.ts";
import {
  eventReportLabels,
  eventTriggerNameLabel,
  gvkOf,
  labelValue,
  reportClusterNameLabel,
  reportClusterTypeLabel,
  triggerLabels,
  type ClusterId,
} from "../../sveltos/api/index.ts";
import type { EventsView } from "../api/index.ts";
import { capiClusterKind } from "../fleet/fleet-reading.ts";
import { reduceFleetObject } from "../fleet/reduce-fleet-object.ts";
import { followKinds } from "../follow-kinds.ts";
import type { ViewContext } from "../view-context.ts";
import { EventModel } from "./event-model.ts";
import { reduceGeneratedProfile, reduceGeneratedSummary } from "./generated-outline.ts";
import { reduceReport } from "./report-outline.ts";

/** Said where the kinds of events are not served. */
const noEvents =
  "this cluster does not serve Sveltos' kinds, so that nothing is deployed on events here: sluice controller --install-definitions makes it a management cluster";

/** Shows the way of events: from what matches to what is deployed for it. */
export async function runEvents(view: EventsView, context: ViewContext): Promise<void> {
  const unreadable = new Set<string>();
  const model = new EventModel(view, context.cluster.clock, (kind) => unreadable.has(kind));
  const readOf = (kind: string) => (reading: "read" | "refused") => {
    const isNews = reading === "read" ? unreadable.delete(kind) : !unreadable.has(kind);
    if (reading === "refused") unreadable.add(kind);
    if (isNews) model.refresh();
  };
  const onChange = ({ type, object }: ObjectChange) => model.put(object, type === "deleted");
  const generated = { selection: generatedSelection(view), onChange };
  const capi = await capiClusterKind(context.cluster);
  const kinds = [
    { target: gvkOf("EventTrigger"), onChange, unserved: noEvents },
    { target: gvkOf("EventBasedAddOn"), onChange },
    { target: gvkOf("EventSource"), onChange },
    { target: gvkOf("SveltosCluster"), transform: reduceFleetObject, onChange },
    { target: capi, transform: reduceFleetObject, onChange },
    { target: gvkOf("EventReport"), selection: reportSelection(view), transform: reduceReport, onChange },
    { target: gvkOf("ClusterProfile"), transform: reduceGeneratedProfile, ...generated },
    { target: gvkOf("ClusterSummary"), transform: reduceGeneratedSummary, ...generated },
  ];
  const followed = kinds.map((kind) => ({ ...kind, onRead: readOf(kind.target.kind) }));
  await followKinds(followed, context, () => context.publish(model.takeChanges()));
}

function clusterIdOf({ kind, namespace, name }: NonNullable<EventsView["cluster"]>): ClusterId {
  return { type: kind === "Cluster" ? "Capi" : "Sveltos", namespace, name };
}

/** What triggers have made: all of it, or that of a trigger, or in a cluster. */
function generatedSelection({ trigger, cluster }: EventsView): Selection {
  const name = trigger === undefined ? [eventTriggerNameLabel] : [`${eventTriggerNameLabel}=${labelValue(trigger.name)}`];
  const { [eventTriggerNameLabel]: _name, ...labels } = cluster === undefined ? {} : triggerLabels("", clusterIdOf(cluster));
  return { labelSelector: [...name, ...Object.entries(labels).map(([key, value]) => `${key}=${value}`)].join(",") };
}

function reportSelection({ cluster }: EventsView): Selection {
  if (cluster === undefined) return {};
  const labels = eventReportLabels("", clusterIdOf(cluster));
  const own = [reportClusterNameLabel, reportClusterTypeLabel].map((key) => `${key}=${labels[key]}`);
  return { namespace: cluster.namespace, labelSelector: own.join(",") };
}
