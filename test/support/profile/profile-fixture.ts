/** An embedded fleet with the profile controller, and what users and the ClusterSummary controller do there. */
import type { TestContext } from "node:test";
import { EmbeddedFleet, fleetNamespace, type EmbeddedFleetOptions } from "../embedded-fleet.ts";
import { capiGroup, finalizers, gvkOf, type KindName } from "../../../src/sveltos/api/index.ts";
import { conditionsOf, listAt, stringAt, valueAt, type Fields, type KubeObject } from "../../../src/core/object/index.ts";
import { runProfileController } from "../../../src/sveltos/controllers/profile/index.ts";

export async function openProfileFixture(t: TestContext, options: EmbeddedFleetOptions = {}): Promise<EmbeddedFleet> {
  const fixture = await EmbeddedFleet.open(options);
  t.after(() => fixture.close());
  await fixture.run(runProfileController);
  fixture.written.length = 0;
  return fixture;
}

export const policyContent = { policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "objects" }] };
export const onFvClusters = { clusterSelector: { matchLabels: { env: "fv" } }, ...policyContent };

export function profileObject(name: string, spec: Fields, kind: KindName = "ClusterProfile", metadata: Fields = {}): KubeObject {
  const place = kind === "Profile" || kind === "Set" ? { namespace: fleetNamespace } : {};
  const apiVersion = kind === "Set" || kind === "ClusterSet" ? "lib.projectsveltos.io/v1beta1" : "config.projectsveltos.io/v1beta1";
  return { apiVersion, kind, metadata: { name, ...place, ...metadata }, spec };
}

export function referenceTo(name: string) {
  return { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", namespace: fleetNamespace, name };
}

/** Applies an object as a user. */
export async function applyAsUser(fixture: EmbeddedFleet, object: KubeObject): Promise<void> {
  await fixture.until(fixture.hub.apply(object, { manager: "user", force: true }));
  await fixture.advance(1000);
}

export async function deleteAsUser(fixture: EmbeddedFleet, kind: KindName, name: string): Promise<void> {
  await fixture.until(fixture.hub.delete({ ...gvkOf(kind), namespace: kind === "Profile" || kind === "Set" ? fleetNamespace : "", name }));
  await fixture.advance(1000);
}

/** Patches the object of a cluster, of either type. */
export async function patchCluster(fixture: EmbeddedFleet, name: string, patch: Fields): Promise<void> {
  const kind = fixture.type === "Sveltos" ? gvkOf("SveltosCluster") : { group: capiGroup, version: "v1beta1", kind: "Cluster" };
  await fixture.until(fixture.hub.patch({ ...kind, namespace: fleetNamespace, name }, { type: "merge", patch }));
  await fixture.advance(1000);
}

export async function deleteCluster(fixture: EmbeddedFleet, name: string): Promise<void> {
  const kind = fixture.type === "Sveltos" ? gvkOf("SveltosCluster") : { group: capiGroup, version: "v1beta1", kind: "Cluster" };
  await fixture.until(fixture.hub.delete({ ...kind, namespace: fleetNamespace, name }));
  await fixture.advance(1000);
}

export async function readSummary(fixture: EmbeddedFleet, name: string): Promise<KubeObject | undefined> {
  return fixture.get({ ...gvkOf("ClusterSummary"), namespace: fleetNamespace, name });
}

/** The names of all ClusterSummaries; those that are being deleted with a minus. */
export async function summaryNames(fixture: EmbeddedFleet): Promise<readonly string[]> {
  const all = await fixture.list(gvkOf("ClusterSummary"));
  return all.map(({ metadata }) => (metadata.deletionTimestamp === undefined ? metadata.name : `-${metadata.name}`));
}

export async function readProfileStatus(
  fixture: EmbeddedFleet,
  name: string,
  kind: "ClusterProfile" | "Profile" = "ClusterProfile",
): Promise<Fields> {
  const found = await fixture.get({ ...gvkOf(kind), namespace: kind === "Profile" ? fleetNamespace : "", name });
  const { observedGeneration: _generation, conditions: _conditions, ...rest } = (found?.["status"] ?? {}) as Fields;
  return rest;
}

/** The conditions of an object of the fleet, one a line: `Reconciling Deploying: being deployed`. */
export async function readConditions(fixture: EmbeddedFleet, kind: KindName, name: string, namespace = ""): Promise<readonly string[]> {
  const found = await fixture.get({ ...gvkOf(kind), namespace, name });
  return conditionsOf(found).map(({ type, reason = "", message = "" }) => `${type} ${reason}: ${message}`);
}

/** The names of the clusters in a list of the status of a profile. */
export async function clusterNamesAt(fixture: EmbeddedFleet, name: string, path: string): Promise<readonly string[]> {
  return listAt(await readProfileStatus(fixture, name), path).map((ref) => stringAt(ref, "name", ""));
}

export async function summarySpecField(fixture: EmbeddedFleet, name: string, field: string): Promise<unknown> {
  return valueAt(await readSummary(fixture, name), `spec.clusterProfileSpec.${field}`);
}

/** Writes the status that a deploy ends with. */
export async function setDeployed(fixture: EmbeddedFleet, name: string, failureMessage?: string): Promise<void> {
  const observedGeneration = (await readSummary(fixture, name))?.metadata.generation;
  const feature = failureMessage === undefined ? { status: "Provisioned" } : { status: "Failed", failureMessage };
  const featureSummaries = [{ featureID: "Resources", hash: "aGFzaA==", ...feature }];
  const ref = { ...gvkOf("ClusterSummary"), namespace: fleetNamespace, name };
  const patch = { status: { observedGeneration, featureSummaries } };
  await fixture.until(fixture.hub.patch(ref, { type: "merge", patch }, { subresource: "status" }));
  await fixture.advance(1000);
}

/** Removes the finalizers of deleted ClusterSummaries, as after their withdrawal. */
export async function finishWithdrawals(fixture: EmbeddedFleet): Promise<void> {
  for (const { metadata } of await fixture.list(gvkOf("ClusterSummary"))) {
    if (metadata.deletionTimestamp === undefined || !metadata.finalizers?.includes(finalizers.ClusterSummary)) continue;
    const ref = { ...gvkOf("ClusterSummary"), namespace: fleetNamespace, name: metadata.name };
    await fixture.until(fixture.hub.patch(ref, { type: "merge", patch: { metadata: { finalizers: null } } }));
  }
  await fixture.advance(1000);
}

/** What the profiles of `profileObject` refer to: a ConfigMap that has another one deployed. */
export const profileContent = `
apiVersion: v1
kind: ConfigMap
metadata: {name: objects, namespace: default}
data:
  all.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: deployed, namespace: default}
`;
