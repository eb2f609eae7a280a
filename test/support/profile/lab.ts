/** A fleet whose profiles are kept, and what others do there: users, and whoever keeps ClusterSummaries. */
import type { TestContext } from "node:test";
import { EmbeddedFleet, namespace, type EmbeddedFleetOptions } from "../embedded-fleet.ts";
import { capiGroup, finalizers, gvkOf, type KindName } from "../../../src/sveltos/api/index.ts";
import { listAt, stringAt, valueAt, type Fields, type KubeObject } from "../../../src/core/object/index.ts";
import { keepProfiles } from "../../../src/sveltos/controllers/profile/index.ts";

export async function openLab(t: TestContext, options: EmbeddedFleetOptions = {}): Promise<EmbeddedFleet> {
  const lab = await EmbeddedFleet.open(options);
  t.after(() => lab.close());
  await lab.run(keepProfiles);
  lab.written.length = 0;
  return lab;
}

export const content = { policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "objects" }] };
export const onFv = { clusterSelector: { matchLabels: { env: "fv" } }, ...content };

export function profile(name: string, spec: Fields, kind: KindName = "ClusterProfile", metadata: Fields = {}): KubeObject {
  const place = kind === "Profile" || kind === "Set" ? { namespace } : {};
  const apiVersion = kind === "Set" || kind === "ClusterSet" ? "lib.projectsveltos.io/v1beta1" : "config.projectsveltos.io/v1beta1";
  return { apiVersion, kind, metadata: { name, ...place, ...metadata }, spec };
}

export function referenceTo(name: string) {
  return { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", namespace, name };
}

/** Creates an object, or puts it in the place of what the user wrote before. */
export async function write(lab: EmbeddedFleet, object: KubeObject): Promise<void> {
  await lab.until(lab.hub.apply(object, { manager: "user", force: true }));
  await lab.advance(1000);
}

export async function remove(lab: EmbeddedFleet, kind: KindName, name: string): Promise<void> {
  await lab.until(lab.hub.delete({ ...gvkOf(kind), namespace: kind === "Profile" || kind === "Set" ? namespace : "", name }));
  await lab.advance(1000);
}

/** Changes the object of a cluster, of either type. */
export async function patchCluster(lab: EmbeddedFleet, name: string, patch: Fields): Promise<void> {
  const kind = lab.type === "Sveltos" ? gvkOf("SveltosCluster") : { group: capiGroup, version: "v1beta1", kind: "Cluster" };
  await lab.until(lab.hub.patch({ ...kind, namespace, name }, { type: "merge", patch }));
  await lab.advance(1000);
}

export async function deregister(lab: EmbeddedFleet, name: string): Promise<void> {
  const kind = lab.type === "Sveltos" ? gvkOf("SveltosCluster") : { group: capiGroup, version: "v1beta1", kind: "Cluster" };
  await lab.until(lab.hub.delete({ ...kind, namespace, name }));
  await lab.advance(1000);
}

export async function summary(lab: EmbeddedFleet, name: string): Promise<KubeObject | undefined> {
  return lab.get({ ...gvkOf("ClusterSummary"), namespace, name });
}

/** The names of all ClusterSummaries; those that are going with a minus. */
export async function names(lab: EmbeddedFleet): Promise<readonly string[]> {
  const all = await lab.list(gvkOf("ClusterSummary"));
  return all.map(({ metadata }) => (metadata.deletionTimestamp === undefined ? metadata.name : `-${metadata.name}`));
}

export async function status(lab: EmbeddedFleet, name: string, kind: "ClusterProfile" | "Profile" = "ClusterProfile"): Promise<Fields> {
  const found = await lab.get({ ...gvkOf(kind), namespace: kind === "Profile" ? namespace : "", name });
  const { observedGeneration: _generation, ...rest } = (found?.["status"] ?? {}) as Fields;
  return rest;
}

/** The names of the clusters that a list in the status of a profile has. */
export async function clustersAt(lab: EmbeddedFleet, name: string, path: string): Promise<readonly string[]> {
  return listAt(await status(lab, name), path).map((ref) => stringAt(ref, "name", ""));
}

export async function specOf(lab: EmbeddedFleet, name: string, field: string): Promise<unknown> {
  return valueAt(await summary(lab, name), `spec.clusterProfileSpec.${field}`);
}

/** What deploying comes to. */
export async function deployed(lab: EmbeddedFleet, name: string, failureMessage?: string): Promise<void> {
  const feature = failureMessage === undefined ? { status: "Provisioned" } : { status: "Failed", failureMessage };
  const featureSummaries = [{ featureID: "Resources", hash: "aGFzaA==", ...feature }];
  const ref = { ...gvkOf("ClusterSummary"), namespace, name };
  await lab.until(lab.hub.patch(ref, { type: "merge", patch: { status: { featureSummaries } } }, { subresource: "status" }));
  await lab.advance(1000);
}

/** Everything that goes has been withdrawn. */
export async function withdrawn(lab: EmbeddedFleet): Promise<void> {
  for (const { metadata } of await lab.list(gvkOf("ClusterSummary"))) {
    if (metadata.deletionTimestamp === undefined || !metadata.finalizers?.includes(finalizers.ClusterSummary)) continue;
    const ref = { ...gvkOf("ClusterSummary"), namespace, name: metadata.name };
    await lab.until(lab.hub.patch(ref, { type: "merge", patch: { metadata: { finalizers: null } } }));
  }
  await lab.advance(1000);
}
