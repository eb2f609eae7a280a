import {
  labelSelectorOf,
  labelSelectorText,
  mapAt,
  numberAt,
  stringAt,
  titleOf,
  type KubeObject,
  type LabelSelectorObject,
  type ObjectRef,
} from "../../core/object/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { lastSeenAt } from "../../release/track/index.ts";
import type { ObjectEvent } from "../api/index.ts";

const eventKind = { group: "", version: "v1", kind: "Event" };
const podKind = { group: "", version: "v1", kind: "Pod" };
const replicaSetKind = { group: "apps", version: "v1", kind: "ReplicaSet" };
const workloads = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"]);

/** The Events of more pods, and more Events, are not read. */
const [maxDependents, maxEvents, maxLength] = [8, 100, 2_000];

/** Reads the Events about an object and about what its controllers have made for it, the latest first. */
export async function readObjectEvents(ref: ObjectRef, cluster: Cluster, signal: AbortSignal): Promise<readonly ObjectEvent[]> {
  const live = (await cluster.discovery.find(ref)) === undefined ? undefined : await cluster.find(ref, { signal });
  const dependents = live === undefined ? [] : await dependentsOf(live, cluster, signal);
  const about =
    live === undefined ? [`involvedObject.name=${ref.name},involvedObject.kind=${ref.kind}`] : [live, ...dependents].map(uidField);
  const lists = await Promise.all(
    about.map((fieldSelector) => cluster.list(eventKind, { namespace: ref.namespace || "default", fieldSelector, signal })),
  );
  return lists
    .flatMap(({ items }) => items)
    .map(eventOf)
    .toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0))
    .slice(0, maxEvents);
}

function uidField({ metadata }: KubeObject): string {
  return `involvedObject.uid=${metadata.uid ?? ""}`;
}

/** The youngest ones, which have something to tell. */
async function dependentsOf(live: KubeObject, cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const selector = mapAt(live, "spec.selector") as LabelSelectorObject;
  if (!workloads.has(live.kind) || Object.keys(selector).length === 0) return [];
  const options = { namespace: live.metadata.namespace ?? "", labelSelector: labelSelectorText(labelSelectorOf(selector)), signal };
  const kinds = live.kind === "Deployment" ? [podKind, replicaSetKind] : [podKind];
  const lists = await Promise.all(
    kinds.map((kind) =>
      cluster.list(kind, options).catch((error: unknown) => {
        if (isForbidden(error)) return { items: [] };
        throw error;
      }),
    ),
  );
  return lists.flatMap(({ items }) => items.toSorted((a, b) => ageOf(b) - ageOf(a)).slice(0, maxDependents));
}

function ageOf({ metadata }: KubeObject): number {
  return Date.parse(metadata.creationTimestamp ?? "") || 0;
}

function eventOf(event: KubeObject): ObjectEvent {
  const atMs = Date.parse(lastSeenAt(event));
  const message = stringAt(event, "message", "");
  return {
    type: stringAt(event, "type", "Normal"),
    reason: stringAt(event, "reason", ""),
    message: message.length > maxLength ? `${message.slice(0, maxLength)}…` : message,
    about: titleOf({ kind: stringAt(event, "involvedObject.kind", ""), name: stringAt(event, "involvedObject.name", "") }),
    count: numberAt(event, "series.count", numberAt(event, "count", 1)),
    ...(Number.isNaN(atMs) ? {} : { atMs }),
  };
}
