import type { Cluster, ListOptions } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { EventTemplates } from "../../instantiate/index.ts";
import type { KindName } from "../../api/index.ts";
import type { AddonOutline } from "../../../view/index.ts";
import { addonsIn } from "../addons.ts";
import { listReadable, type OnUnreadable } from "../list-readable.ts";
import { ManagedClusters } from "../managed-clusters.ts";

/** What the management cluster has of the objects that chains are made of. */
export type FleetObjects = {
  readonly clusters: ManagedClusters;
  readonly sources: readonly KubeObject[];
  readonly triggers: readonly KubeObject[];
  readonly profiles: readonly KubeObject[];
  readonly summaries: readonly KubeObject[];
  readonly addons: readonly AddonOutline[];
  readonly findReport: (namespace: string, name: string) => KubeObject | undefined;
  /** The kind may not be listed, so that what is not found may be there. */
  readonly isUnreadable: (kind: KindName) => boolean;
  readonly templates: EventTemplates;
};

type TemplateEnvironment = ConstructorParameters<typeof EventTemplates>[0];

/** Selects the ClusterSummaries that are read. There is one for every profile in every cluster, so that not all of them are. */
type SummarySelector = (objects: Pick<FleetObjects, "triggers" | "profiles">) => string;

type ReadFleetOptions = {
  /** The time and the randomness that templates see. */
  readonly environment: TemplateEnvironment;
  readonly onUnreadable: OnUnreadable;
  readonly signal: AbortSignal;
};

/** Reads them with one list for each kind. What may not be read is left out, and `onUnreadable` is told. */
export async function readFleetObjects(
  hub: Cluster,
  selectorOf: SummarySelector,
  { environment, onUnreadable, signal }: ReadFleetOptions,
): Promise<FleetObjects> {
  const unreadable = new Set<KindName>();
  const list = (kind: KindName, options: ListOptions = {}) =>
    listReadable(hub, kind, { ...options, signal }, (message) => {
      unreadable.add(kind);
      onUnreadable(message);
    });
  const [sources, triggers, addOns, clusterProfiles, ownProfiles, reports, configurations, clusters] = await Promise.all([
    list("EventSource"),
    list("EventTrigger"),
    list("EventBasedAddOn"),
    list("ClusterProfile"),
    list("Profile"),
    list("EventReport"),
    list("ClusterConfiguration"),
    ManagedClusters.list(hub, signal),
  ]);
  const known = { triggers: [...triggers, ...addOns], profiles: [...clusterProfiles, ...ownProfiles] };
  const reportsByName = new Map(reports.map((report) => [`${report.metadata.namespace ?? ""}/${report.metadata.name}`, report]));
  return {
    ...known,
    sources,
    clusters,
    summaries: await list("ClusterSummary", { labelSelector: selectorOf(known) }),
    addons: addonsIn(configurations, {}),
    findReport: (namespace, name) => reportsByName.get(`${namespace}/${name}`),
    isUnreadable: (kind) => unreadable.has(kind),
    templates: new EventTemplates(environment),
  };
}
