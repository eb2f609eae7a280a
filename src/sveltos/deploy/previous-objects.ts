import { gvkOfDeployed, reasonLabel, type FeatureRelease } from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { apiVersionOf, keyOf, refOf, type KubeObject } from "../../core/object/index.ts";
import type { Ordered } from "../../release/order/index.ts";
import type { DesiredManifest } from "../../release/plan/index.ts";
import { orderRecorded, readKinds } from "../../release/prepare/index.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import { contentNamespace } from "./profile-manifest.ts";
import { previousManifests, recordedManifest } from "./release-record.ts";
import { isOwnedBy } from "./tier-conflict.ts";

type Options = { readonly signal: AbortSignal };
type Profile = Parameters<typeof isOwnedBy>[1];

/**
 * The manifests of the objects that a profile may have in a cluster. Without a record, because an older version or Sveltos has
 * deployed them, they are listed by kind and label.
 */
export async function readPreviousObjects(
  statusStore: SummaryStatusStore,
  owner: Profile,
  cluster: Cluster,
  options: Options,
): Promise<readonly KubeObject[]> {
  const release = statusStore.featureRelease("Resources");
  return release === undefined ? await searchByLabels(statusStore, owner, cluster, options) : previousManifests(release);
}

/** Orders previous manifests, without those of kinds that are no longer served. */
export async function orderPrevious(objects: readonly KubeObject[], cluster: Cluster): Promise<readonly Ordered<DesiredManifest>[]> {
  const findKind = await readKinds(objects, cluster);
  const served = objects.filter((object) => findKind(refOf(object)) !== undefined).map(recordedManifest);
  return orderRecorded(served, findKind, contentNamespace);
}

/** The labels of two Sveltos versions: the newer has no reference labels, the older no reason label. */
const selectors = [`${reasonLabel}=Resources`, "projectsveltos.io/reference-name"];

async function searchByLabels(
  statusStore: SummaryStatusStore,
  owner: Profile,
  cluster: Cluster,
  { signal }: Options,
): Promise<readonly KubeObject[]> {
  const entry = statusStore.status.deployedGVKs?.find(({ featureID }) => featureID === "Resources");
  const found = new Map<string, KubeObject>();
  for (const text of entry?.deployedGroupVersionKind ?? []) {
    const gvk = gvkOfDeployed(text);
    const resource = gvk === undefined ? undefined : await cluster.discovery.find(gvk);
    if (resource === undefined) continue;
    for (const labelSelector of selectors) {
      const { items } = await cluster.list(resource, { labelSelector, signal });
      for (const item of items) {
        const object = { ...item, apiVersion: apiVersionOf(resource), kind: resource.kind };
        if (isOwnedBy(object, owner)) found.set(keyOf(refOf(object)), metadataOnly(object));
      }
    }
  }
  return [...found.values()];
}

/** What a deletion needs to know of an object. */
function metadataOnly({ apiVersion, kind, metadata: { name, namespace, annotations } }: KubeObject): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...(annotations === undefined ? {} : { annotations }) },
  };
}

/** The applied objects of a record by `keyOf`, each with its content hash. */
export function appliedHashesIn(release: FeatureRelease | undefined): ReadonlyMap<string, string | undefined> {
  return new Map((release?.objects ?? []).map((object) => [keyOf({ ...object, namespace: object.namespace ?? "" }), object.hash]));
}
