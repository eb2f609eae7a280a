/** Objects of a management cluster as users and controllers write them, for tests that read them. */
import { after } from "node:test";
import { sveltosCrds, gvkOf, kindNames, type KindName } from "../../src/sveltos/api/index.ts";
import { openCluster, waitForKind, type Cluster } from "../../src/kube/index.ts";
import { apiVersionOf, isFields, type KubeObject, type ObjectMeta } from "../../src/core/object/index.ts";

/** A Sveltos custom resource. */
export function sveltosObject(
  kind: KindName,
  name: string,
  namespace: string,
  body: object,
  metadata: Partial<ObjectMeta> = {},
): KubeObject {
  const place = namespace === "" ? {} : { namespace };
  return { apiVersion: apiVersionOf(gvkOf(kind)), kind, metadata: { name, ...place, ...metadata }, ...body };
}

/** A reference to a SveltosCluster of namespace fleet. */
export function sveltosClusterReference(name: string): object {
  return { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", namespace: "fleet", name };
}

/** Metadata with an ownerReference to a ClusterProfile. `populateHub` sets its uid. */
export function ownedByProfile(name: string): Partial<ObjectMeta> {
  return { ownerReferences: [{ apiVersion: apiVersionOf(gvkOf("ClusterProfile")), kind: "ClusterProfile", name, uid: "" }] };
}

/** A Kubernetes Event about an object. */
export function eventAbout(object: KubeObject, name: string, body: object, component = "sluice"): KubeObject {
  const { apiVersion, kind, metadata } = object;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace: metadata.namespace ?? "default" },
    involvedObject: {
      apiVersion,
      kind,
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    },
    source: { component },
    ...body,
  };
}

/** An object as a ClusterConfiguration lists it. */
export function listedResource(group: string, kind: string, name: string, more: object = {}): object {
  return { group, version: "v1", kind, namespace: "default", name, ignoreForConfigurationDrift: false, ...more };
}

/** Two SveltosClusters and their namespace. */
export const fleetClusters: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "fleet" } },
  ...["east", "west"].map((name) => sveltosObject("SveltosCluster", name, "fleet", { spec: {}, status: { ready: true } })),
];

/** Opens a management cluster, which closes after all tests of the file. */
export async function openHub(kubeconfig: string): Promise<Cluster> {
  const { cluster, close } = await openCluster({ kubeconfig });
  after(close);
  return cluster;
}

/** The Lease of a controller that runs, and stays so for a day. */
export function controllerLease(nowMs: number): KubeObject {
  const renewTime = new Date(nowMs).toISOString().replace("Z", "000Z");
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "sluice.test.1", namespace: "default", labels: { "sluice.dev/group": "sluice" } },
    spec: { holderIdentity: "test", leaseDurationSeconds: 86_400, renewTime },
  };
}

/** Installs the CRDs and creates these objects, each with its status, and the Lease of a controller. */
export async function populateHub(hub: Cluster, objects: readonly KubeObject[]): Promise<void> {
  await hub.create(controllerLease(hub.clock.now()));
  for (const crd of sveltosCrds()) await hub.create(crd);
  for (const kind of kindNames) await waitForKind(hub, gvkOf(kind));
  await createObjects(hub, objects);
}

/** Creates objects, each with its status. */
export async function createObjects(hub: Cluster, objects: readonly KubeObject[]): Promise<void> {
  const uids = new Map<string, string>();
  for (const { status, ...object } of objects) {
    const owners = object.metadata.ownerReferences?.map((owner) => ({ ...owner, uid: uids.get(owner.name) ?? "" }));
    const metadata = { ...object.metadata, ...(owners === undefined ? {} : { ownerReferences: owners }) };
    const created = await hub.create({ ...object, metadata } as KubeObject);
    if (created.kind === "ClusterProfile") uids.set(created.metadata.name, created.metadata.uid ?? "");
    if (isFields(status)) await hub.replace({ ...created, status }, { subresource: "status" });
  }
}
