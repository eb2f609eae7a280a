/** Assertions about our CRDs on any cluster: which manifests it accepts, what it stores of them, and what it refuses. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sveltosCrds, gvkOf, kindNames, servedVersions, type KindName } from "../../src/sveltos/api/index.ts";
import { isApiFault, waitForKind, type Cluster } from "../../src/kube/index.ts";
import { equal, refOf, valueAt, type Fields, type KubeObject } from "../../src/core/object/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";

const lib = (version: string) => `lib.projectsveltos.io/${version}`;
const config = (version: string) => `config.projectsveltos.io/${version}`;
const manager = "test";

/** Applies every CRD and waits until both of its versions are served. */
export async function installCrds(cluster: Cluster): Promise<void> {
  for (const crd of sveltosCrds()) await cluster.apply(crd, { manager, force: true });
  for (const name of kindNames) for (const version of servedVersions) await waitForKind(cluster, { ...gvkOf(name), version });
}

export async function removeCrds(cluster: Cluster): Promise<void> {
  for (const crd of sveltosCrds()) await cluster.delete(refOf(crd));
}

/** The examples of each document. */
const examples = {
  "000": ["postgresql-order"],
  "001": ["network-policy", "network-policy-lua", "chart", "ingress", "http-route"],
  "004": ["service-discovery"],
} as const;

/** The manifests of Sveltos kinds in the examples of a document. */
export function seedManifests(seed: keyof typeof examples): readonly KubeObject[] {
  return examples[seed]
    .flatMap((name) => globSync(join(import.meta.dirname, "..", "..", "examples", "addons", name, "*.yaml")).toSorted())
    .flatMap((path) => {
      const { manifests, problems } = readManifests(readFileSync(path, "utf8"), path);
      assert.deepEqual(problems, []);
      return manifests.map(({ object }) => object).filter(({ apiVersion }) => apiVersion.includes("projectsveltos.io/"));
    });
}

/** Applies an object and reads it back: all of its fields must be there, in either version. */
export async function assertKept(cluster: Cluster, written: KubeObject): Promise<void> {
  await cluster.apply(written, { manager, force: true });
  const ref = { ...refOf(written), namespace: written.kind === "EventBasedAddOn" ? "" : (written.metadata.namespace ?? "") };
  for (const version of servedVersions) {
    const found = await cluster.get({ ...ref, version });
    assert.ok(contains(found["spec"], written["spec"]), `${version} of ${ref.kind} ${ref.name}: ${JSON.stringify(found["spec"])}`);
  }
  await cluster.delete(ref);
}

/** Tells whether `whole` contains `part`. */
function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && whole.length === part.length && part.every((item, at) => contains(whole[at], item));
  if (typeof part !== "object" || part === null) return equal(whole, part);
  return Object.entries(part).every(([key, value]) => contains((whole as Fields | undefined)?.[key], value));
}

const manifest = (name: KindName, spec: object, version = "v1beta1"): KubeObject => ({
  apiVersion: `${gvkOf(name).group}/${version}`,
  kind: name,
  metadata: { name: "case", ...(namespaced.has(name) && { namespace: "default" }) },
  spec,
});
const namespaced: ReadonlySet<string> = new Set(["Profile", "SveltosCluster", "Set", "EventReport", "ClusterSummary", "ClusterReport"]);

const chart = {
  repositoryURL: "https://example.com",
  repositoryName: "a",
  chartName: "a/b",
  chartVersion: "1",
  releaseName: "a",
  releaseNamespace: "b",
};
const trigger = { sourceClusterSelector: { matchLabels: { env: "fv" } }, eventSourceName: "a" };

/** Manifests that must be stored as they are. */
export const validManifests: Readonly<Record<string, KubeObject>> = {
  "a selector as text in v1alpha1": manifest("ClusterProfile", { clusterSelector: "env=prod,tier in (a,b)" }, "v1alpha1"),
  "a selector as text in v1beta1": manifest("ClusterProfile", { clusterSelector: "env=prod" }),
  "a selector as object in v1alpha1": manifest("Profile", { clusterSelector: { matchLabels: { env: "prod" } } }, "v1alpha1"),
  "a selector with expressions": manifest("ClusterSet", {
    clusterSelector: { matchExpressions: [{ key: "env", operator: "In", values: ["a"] }] },
    maxReplicas: 2,
  }),
  "a set": manifest("Set", { clusterSelector: "env=prod", maxReplicas: 1 }, "v1alpha1"),
  "a cluster": manifest("SveltosCluster", { kubeconfigName: "a", data: { region: "west" } }),
  "a chart without name, from a Git repository": manifest("ClusterProfile", {
    helmCharts: [{ repositoryURL: "gitrepository://a/b/c", releaseName: "a", releaseNamespace: "b" }],
  }),
  "a number of clusters": manifest("ClusterProfile", { maxUpdate: 3 }),
  "a percentage of clusters": manifest("ClusterProfile", { maxUpdate: "30%" }),
  "what is not built": manifest("ClusterProfile", {
    kustomizationRefs: [{ kind: "GitRepository", namespace: "a", name: "b", path: "./c", values: { region: "west" } }],
    driftExclusions: [{ paths: ["/spec/replicas"], target: { kind: "Deployment" } }],
    extraLabels: { a: "b" },
    preDeployChecks: [{ name: "a", featureID: "Helm", jobCheck: { jobRef: { kind: "ConfigMap", name: "a", namespace: "b" } } }],
  }),
  "a summary": manifest("ClusterSummary", {
    clusterName: "c1",
    clusterNamespace: "default",
    clusterType: "Sveltos",
    clusterProfileSpec: { clusterSelector: "env=prod", helmCharts: [chart] },
  }),
  "a report": manifest("EventReport", {
    clusterName: "c1",
    clusterNamespace: "default",
    clusterType: "Capi",
    eventSourceName: "a",
    matchingResources: [{ apiVersion: "v1", kind: "Service", name: "a", namespace: "b" }],
    resources: "e30KLS0t",
  }),
};

/** Manifests that must be refused, and the message. */
export const invalidManifests: Readonly<Record<string, readonly [KubeObject, RegExp]>> = {
  "a trigger without source": [manifest("EventTrigger", { sourceClusterSelector: "a=b" }), /spec\.eventSourceName: Required value/],
  "a trigger without clusters": [manifest("EventTrigger", { eventSourceName: "a" }), /spec\.sourceClusterSelector: Required value/],
  "an EventBasedAddOn without clusters": [manifest("EventBasedAddOn", { eventSourceName: "a" }), /one and only one schema \(oneOf\)/],
  "an unknown mode": [manifest("ClusterProfile", { syncMode: "Sometimes" }), /spec\.syncMode: Unsupported value: "Sometimes"/],
  "a tier below 1": [manifest("ClusterProfile", { tier: 0 }), /spec\.tier: Invalid value: 0: .*should be greater than or equal to 1/],
  "a label that is no text": [
    manifest("ClusterProfile", { clusterSelector: { matchLabels: { a: 1 } } }),
    /matchLabels\.a: Invalid value: "integer"/,
  ],
  "an unknown operation": [
    manifest("EventSource", {
      resourceSelectors: [{ group: "", version: "v1", kind: "Service", labelFilters: [{ key: "a", operation: "Like" }] }],
    }),
    /labelFilters\[0\]\.operation: Unsupported value: "Like"/,
  ],
  "a selector without kind": [
    manifest("EventSource", { resourceSelectors: [{ group: "", version: "v1", kind: "" }] }),
    /resourceSelectors\[0\]\.kind: Invalid value: "": .*at least 1 chars long/,
  ],
  "a chart without version": [
    manifest("ClusterProfile", { helmCharts: [{ ...chart, chartVersion: "" }] }),
    /helmCharts\[0\]: Invalid value: .*chartVersion must be set when repositoryURL begins with http/,
  ],
  "a reference without kind": [
    manifest("ClusterProfile", { policyRefs: [{ name: "a", namespace: "b" }] }),
    /policyRefs\[0\]: Invalid value: .*exactly one of kind and remoteURL/,
  ],
  "a percentage over 100": [manifest("ClusterProfile", { maxUpdate: "101%" }), /spec\.maxUpdate: Invalid value: .*should match/],
  "the same identifier twice": [
    manifest("ClusterProfile", {
      templateResourceRefs: [
        { identifier: "a", resource: {} },
        { identifier: "a", resource: {} },
      ],
    }),
    /templateResourceRefs\[1\]: Duplicate value/,
  ],
};

export async function assertRefused(cluster: Cluster, [written, message]: readonly [KubeObject, RegExp]): Promise<void> {
  await assert.rejects(cluster.create(written), (error: unknown) => {
    assert.ok(isApiFault(error), String(error));
    assert.match(error.message, message);
    return true;
  });
}

/** Defaults are Sveltos' own, and no others. */
export async function assertDefaults(cluster: Cluster): Promise<void> {
  const made = await cluster.create(
    manifest("EventTrigger", { ...trigger, policyRefs: [{ kind: "ConfigMap", name: "a", namespace: "b" }] }),
  );
  assert.deepEqual(made["spec"], {
    ...trigger,
    cloudEventAction: "Create",
    continueOnConflict: false,
    policyRefs: [{ deploymentType: "Remote", kind: "ConfigMap", name: "a", namespace: "b" }],
    reloader: false,
    stopMatchingBehavior: "WithdrawPolicies",
    syncMode: "Continuous",
    tier: 100,
  });
  await cluster.delete(refOf(made));
}

/** A selector may change from a text into an object and back: its manager owns the whole of it. */
export async function assertSelectorChanges(cluster: Cluster): Promise<void> {
  const selectors = ["env=fv", { matchLabels: { env: "fv", dep: "eng" } }, { matchLabels: { env: "prod" } }, "env=prod"];
  for (const clusterSelector of selectors) {
    const applied = await cluster.apply(manifest("ClusterProfile", { clusterSelector }), { manager });
    assert.deepEqual(valueAt(applied, "spec.clusterSelector"), clusterSelector);
  }
  await cluster.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "case" });
}

/** oneForEvent can be set later, and is immutable then. */
export async function assertOneForEventImmutable(cluster: Cluster): Promise<void> {
  const ref = refOf(await cluster.create(manifest("EventTrigger", trigger)));
  const set = (oneForEvent: boolean) => cluster.patch(ref, { type: "merge", patch: { spec: { oneForEvent } } });
  assert.equal(valueAt(await set(true), "spec.oneForEvent"), true);
  await assert.rejects(set(false), /spec\.oneForEvent: Invalid value: .*Value is immutable/);
  await cluster.delete(ref);
}

/** The status is a subresource and keeps all of its fields. */
export async function assertStatusKept(cluster: Cluster): Promise<void> {
  const made = await cluster.create({
    apiVersion: config("v1beta1"),
    kind: "ClusterConfiguration",
    metadata: { name: "case", namespace: "default" },
  });
  const owner = { kind: "ConfigMap", name: "a", namespace: "b" };
  const resource = { group: "", version: "v1", kind: "ConfigMap", name: "a", owner, ignoreForConfigurationDrift: false };
  const status = { clusterProfileResources: [{ clusterProfileName: "a", Features: [{ featureID: "Resources", resources: [resource] }] }] };
  await cluster.patch(refOf(made), { type: "merge", patch: { status } }, { subresource: "status" });
  assert.deepEqual((await cluster.get(refOf(made)))["status"], status);
  await cluster.delete(refOf(made));

  const source = await cluster.create({
    apiVersion: lib("v1beta1"),
    kind: "EventSource",
    metadata: { name: "case" },
    spec: { resourceSelectors: [{ group: "", version: "v1", kind: "Service" }] },
  });
  const failures = [{ resource: { kind: "Service", name: "a" }, message: "attempt to index a nil value" }];
  const seen = { matchingResources: 1, clusterInfo: [{ cluster: { name: "c1" }, matchingResources: 1, failures }] };
  await cluster.patch(refOf(source), { type: "merge", patch: { status: seen } }, { subresource: "status" });
  assert.deepEqual((await cluster.get(refOf(source)))["status"], seen);
  await cluster.delete(refOf(source));
}
