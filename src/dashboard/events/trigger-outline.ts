import { booleanAt, fieldsAt, listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { clusterReferredTo, labelValue, type ClusterId } from "../../sveltos/api/index.ts";
import { statusOccurrences } from "../../sveltos/inspect/index.ts";
import type { TriggerKind } from "../api/index.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";
import { troubleIn, type Trouble } from "./trouble.ts";

/** What a trigger says of one cluster: `Provisioned`, and what has failed. */
type TriggerInCluster = { readonly status: string; readonly message: string };

/** What the view has of a trigger. */
export type TriggerOutline = {
  readonly key: string;
  readonly kind: TriggerKind;
  readonly name: string;
  /** Its name as labels have it. */
  readonly label: string;
  readonly source: string;
  readonly oneForEvent: boolean;
  /** What is wrong with it in all clusters. */
  readonly trouble?: Trouble;
  /** The clusters that it matches, or has to do with still. */
  readonly clusters: ReadonlyMap<string, ClusterId>;
  readonly inClusters: ReadonlyMap<string, TriggerInCluster>;
};

/** Reads an EventTrigger or EventBasedAddOn once, for all clusters. */
export function triggerOutlineOf(object: KubeObject): TriggerOutline {
  const kind = object.kind === "EventBasedAddOn" ? "EventBasedAddOn" : "EventTrigger";
  const { name } = object.metadata;
  const infos = listAt(object, "status.clusterInfo");
  const trouble = troubleIn(statusOccurrences(object).filter(({ cluster }) => cluster === undefined));
  return {
    key: triggerKeyOf({ kind, name }),
    kind,
    name,
    label: labelValue(name),
    source: stringAt(object, "spec.eventSourceName", ""),
    oneForEvent: booleanAt(object, "spec.oneForEvent") === true,
    ...(trouble === undefined ? {} : { trouble }),
    clusters: new Map([...listAt(object, "status.matchingClusters"), ...infos.map((info) => fieldsAt(info, "cluster"))].flatMap(keyed)),
    inClusters: new Map(infos.flatMap((info) => keyed(fieldsAt(info, "cluster")).map(([key]) => [key, inCluster(info)] as const))),
  };
}

export function triggerKeyOf({ kind, name }: { readonly kind: TriggerKind; readonly name: string }): string {
  return `${kind}/${name}`;
}

function keyed(reference: Fields): readonly (readonly [string, ClusterId])[] {
  const cluster = clusterReferredTo(reference);
  return cluster === undefined ? [] : [[clusterKeyOf(cluster), cluster]];
}

function inCluster(info: Fields): TriggerInCluster {
  return { status: stringAt(info, "status", ""), message: stringAt(info, "failureMessage", "") };
}

/** Whether a trigger means an EventSource by its name, which may be a template over the cluster: what it makes of it is not known here. */
export function mayMeanSource({ source }: Pick<TriggerOutline, "source">, name: string): boolean {
  if (!source.includes("{{")) return source === name;
  const parts = source.split(/\{\{.*?\}\}/s).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".+")}$`, "s").test(name);
}
