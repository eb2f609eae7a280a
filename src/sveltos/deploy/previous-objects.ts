import { gvkOfDeployed, reasonLabel, type FeatureRelease } from "../api/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { apiVersionOf, keyOf, refOf, type KubeObject } from "../../core/object/index.ts";
import type { Ordered } from "../../release/order/index.ts";
import type { DesiredManifest } from "../../release/plan/index.ts";
import { orderRecorded, readKinds } from "../../release/prepare/index.ts";
import type { AddonContext, AddonTenant } from "./addon-request.ts";
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
  { cluster, tenant }: Pick<AddonContext, "cluster" | "tenant">,
  options: Options,
): Promise<readonly KubeObject[]> {
  const release = statusStore.featureRelease("Resources");
  const objects = release === undefined ? await searchByLabels(statusStore, owner, cluster, options) : previousManifests(release);
  return tenant === undefined ? objects : await withoutDenied(objects, owner, cluster, tenant, options);
}

/**
 * Leaves out what a tenant was never allowed to deploy: it is in the record of what was tried. What it has deployed and may not
 * read any more stays in, and so is denied.
 */
async function withoutDenied(
  objects: readonly KubeObject[],
  owner: Profile,
  cluster: Cluster,
  { unimpersonated }: AddonTenant,
  { signal }: Options,
): Promise<readonly KubeObject[]> {
  const kept: KubeObject[] = [];
  for (const object of objects) {
    const namespace = object.metadata.namespace ?? contentNamespace;
    const ref = { ...refOf(object), namespace };
    const isDenied = await cluster.find(ref, { signal }).then(
      () => false,
      (error: unknown) => isForbidden(error),
    );
    const live = isDenied ? await unimpersonated.find(ref, { signal }) : undefined;
    if (!isDenied || (live !== undefined && isOwnedBy(live, owner))) kept.push(object);
  }
  return kept;
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
