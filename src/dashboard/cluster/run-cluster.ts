import { escapeFieldValue, type KubeObject } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { clusterLabels, gvkOf, readCluster, type ClusterId } from "../../sveltos/api/index.ts";
import { addonsIn, dryRunsIn } from "../../sveltos/inspect/index.ts";
import type { ClusterView, DeploymentItem, Item } from "../api/index.ts";
import { followKinds } from "../follow-kinds.ts";
import { capiClusterKind } from "../fleet/fleet-reading.ts";
import { columnIn, reduceFleetObject } from "../fleet/reduce-fleet-object.ts";
import { heldBack } from "../fleet/fleet-matrix.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";
import type { ViewContext } from "../view-context.ts";
import { clusterHeadOf } from "./cluster-head.ts";
import { DeployedHealth } from "./deployed-health.ts";
import { deploymentKeyOf } from "./deployment-item.ts";
import { deploymentIn, reduceDeployment } from "./deployment-summary.ts";
import { eventItems, eventKind, eventSubject, ownEvents, reduceEvent } from "./fleet-event.ts";
import { changeItems, listedItems, objectItems } from "./object-items.ts";
import { ObjectStore } from "./object-store.ts";
import { PublishedItems } from "./published-items.ts";

/** Shows one cluster of a fleet: its profiles, what they have deployed and how it is doing, and Events. */
export async function runCluster(view: ClusterView, context: ViewContext): Promise<void> {
  const id: ClusterId = { type: view.kind === "Cluster" ? "Capi" : "Sveltos", namespace: view.namespace, name: view.name };
  const stores = {
    clusters: new ObjectStore(),
    summaries: new ObjectStore(),
    configurations: new ObjectStore(),
    reports: new ObjectStore(),
    profiles: new ObjectStore(),
    events: new ObjectStore(),
  };
  const published = new PublishedItems(context.publish);
  const shownObjects = new PublishedItems(context.publish);
  const isReadable: Readable = { cluster: true, summaries: true };
  let isRead = false;
  const health = new DeployedHealth({
    ...context,
    onRead: (objects) => {
      isRead = true;
      shownObjects.replace(objectItems(objects));
    },
    onProblem: (because) => context.notice("managed", because === undefined ? undefined : unaskedText(because)),
  });
  const flush = () => {
    const [object] = stores.clusters.all;
    const isMissing = object === undefined && isReadable.cluster;
    context.notice("cluster", isMissing ? `There is no ${view.kind} ${view.namespace}/${view.name}.` : undefined);
    published.replace(itemsOf(id, stores, isReadable.summaries));
    const addons = addonsIn(stores.configurations.all, {});
    if (!isRead) shownObjects.replace(listedItems(addons));
    const reading = object === undefined ? undefined : readCluster(object);
    health.follow(addons, reading?.state === "read" ? reading.value : undefined);
  };
  await followKinds(await kindsOf(id, context.cluster, stores, isReadable), context, flush);
}

type Stores = Readonly<Record<"clusters" | "summaries" | "configurations" | "reports" | "profiles" | "events", ObjectStore>>;

function unaskedText(because: string): string {
  return `How the objects are doing is not known, since the managed cluster cannot be asked: ${because}`;
}

/** Whether the cluster and its ClusterSummaries may be read: what may not is not missing. */
type Readable = { cluster: boolean; summaries: boolean };

async function kindsOf(id: ClusterId, hub: Cluster, stores: Stores, isReadable: Readable): Promise<Parameters<typeof followKinds>[0]> {
  const { namespace, name, type } = id;
  const labelSelector = Object.entries(clusterLabels(id))
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  const own = { namespace, labelSelector };
  const cluster = type === "Capi" ? await capiClusterKind(hub) : gvkOf("SveltosCluster");
  const events = { target: eventKind, transform: reduceEvent, onChange: stores.events.change };
  return [
    {
      target: cluster,
      selection: { namespace, fieldSelector: `metadata.name=${escapeFieldValue(name)}` },
      onChange: stores.clusters.change,
      onRead: (word) => (isReadable.cluster = word === "read"),
    },
    {
      target: gvkOf("ClusterSummary"),
      selection: own,
      transform: reduceDeployment,
      onChange: stores.summaries.change,
      onRead: (word) => (isReadable.summaries = word === "read"),
    },
    { target: gvkOf("ClusterConfiguration"), selection: own, onChange: stores.configurations.change },
    { target: gvkOf("ClusterReport"), selection: own, onChange: stores.reports.change },
    { target: gvkOf("ClusterProfile"), transform: reduceFleetObject, onChange: stores.profiles.change },
    { target: gvkOf("Profile"), selection: { namespace }, transform: reduceFleetObject, onChange: stores.profiles.change },
    // Events about objects without a namespace are in namespace default.
    ...[...new Set([namespace, "default"])].map((place) => ({ ...events, selection: { namespace: place, fieldSelector: ownEvents } })),
  ];
}

function itemsOf(
  id: ClusterId,
  { clusters, summaries, reports, profiles, events }: Stores,
  isAllRead: boolean,
): readonly (readonly [string, Item])[] {
  const deployments = summaries.all.flatMap((summary) => deploymentIn(summary) ?? []);
  const all = [...deployments, ...(isAllRead ? heldBackIn(id, profiles.all, deployments) : [])];
  return [
    ...clusters.all.map((object) => ["head", clusterHeadOf(object)] as const),
    ...all.map((item) => [deploymentKeyOf(item), item] as const),
    ...changeItems(dryRunsIn(reports.all, {})),
    ...eventItems(events.all.filter((event) => isAbout(event, id, deployments))),
  ];
}

/** The profiles that match the cluster and have no ClusterSummary for it yet. */
function heldBackIn(id: ClusterId, profiles: readonly KubeObject[], deployments: readonly DeploymentItem[]): readonly DeploymentItem[] {
  const known = new Set(deployments.map(deploymentKeyOf));
  return profiles
    .map(columnIn)
    .filter(({ matching }) => matching.has(clusterKeyOf(id)))
    .flatMap(({ kind, namespace, name, syncMode = "" }): readonly DeploymentItem[] => {
      if (kind === "EventTrigger") return [];
      const base = { type: "deployment", profile: { kind, namespace, name }, syncMode, features: [], releases: [] } as const;
      return [{ ...base, state: "waiting", reason: heldBack }];
    })
    .filter((item) => !known.has(deploymentKeyOf(item)));
}

/** An Event about a profile names the ClusterSummary that it is about. */
function isAbout(event: KubeObject, { name }: ClusterId, deployments: readonly DeploymentItem[]): boolean {
  const about = eventSubject(event);
  if (about.kind === "SveltosCluster" || about.kind === "Cluster") return about.name === name;
  const { message = "" } = (event["item"] ?? {}) as { readonly message?: string };
  return deployments.some(
    ({ summary }) =>
      summary !== undefined &&
      ((about.kind === "ClusterSummary" && about.name === summary.name) || message.startsWith(`${summary.namespace}/${summary.name}: `)),
  );
}
