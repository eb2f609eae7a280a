/** Who may write what by the chart's admission policies: the same on an embedded cluster and on a real one. */
import assert from "node:assert/strict";
import { fleetNamespace } from "./embedded-fleet.ts";
import { labelsOf } from "./tenant-fixture.ts";
import { gvkOf, sveltosNamespace, type KindName } from "../../src/sveltos/api/index.ts";
import { isForbidden, isInvalid, type Cluster } from "../../src/kube/index.ts";
import { apiVersionOf, refOf, type KubeObject } from "../../src/core/object/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import { renderInstallManifests } from "../../src/cli/controller/install-manifests.ts";

export const alice = { namespace: "eng", name: "alice" };
export const bob = { namespace: "ops", name: "bob" };
const admin = { "projectsveltos.io/admin-name": "alice" };
export const userOf = ({ namespace, name }: typeof alice) => `system:serviceaccount:${namespace}:${name}`;
export const controller = "system:serviceaccount:projectsveltos:sluice-controller";

/** The admission policies of the chart. */
export function chartPolicies(values: Readonly<Record<string, unknown>> = {}): readonly KubeObject[] {
  const text = renderInstallManifests({ namespace: "projectsveltos", values, includeCrd: () => false });
  return readManifests(text, "chart").manifests.flatMap(({ object }) => (object.kind.includes("AdmissionPolicy") ? [object] : []));
}

// Tenants may write these kinds, as far as RBAC is concerned: the policies are what is tested.
const group = "rbac.authorization.k8s.io";
export const tenantRights = `
apiVersion: ${group}/v1
kind: ClusterRole
metadata: {name: tenants}
rules:
- {apiGroups: [lib.projectsveltos.io], resources: [eventsources, eventtriggers, eventreports], verbs: ["*"]}
- {apiGroups: [config.projectsveltos.io], resources: [clusterprofiles, profiles, clustersummaries, clustersummaries/status], verbs: ["*"]}
- {apiGroups: [""], resources: [configmaps, secrets], verbs: ["*"]}
---
apiVersion: ${group}/v1
kind: ClusterRoleBinding
metadata: {name: tenants}
roleRef: {apiGroup: ${group}, kind: ClusterRole, name: tenants}
subjects:
- {kind: Group, name: "system:authenticated", apiGroup: ${group}}
---
apiVersion: ${group}/v1
kind: ClusterRole
metadata: {name: as-alice}
rules: [{apiGroups: [""], resources: [serviceaccounts], resourceNames: [alice], verbs: [impersonate]}]
---
apiVersion: ${group}/v1
kind: ClusterRoleBinding
metadata: {name: as-alice}
roleRef: {apiGroup: ${group}, kind: ClusterRole, name: as-alice}
subjects: [{kind: User, name: manager, apiGroup: ${group}}]`;

export const tenantObject = (kind: KindName, labels: Readonly<Record<string, string>>, name = "it"): KubeObject => {
  const isNamespaced = kind === "Profile" || kind === "ClusterSummary" || kind === "EventReport";
  const spec = {
    EventSource: { resourceSelectors: [{ group: "", version: "v1", kind: "Service" }] },
    EventTrigger: { eventSourceName: "it", sourceClusterSelector: { matchLabels: { a: "b" } }, oneForEvent: true },
    ClusterSummary: { clusterName: "c", clusterNamespace: "mgmt", clusterType: "Sveltos" },
    EventReport: { clusterName: "c", clusterNamespace: "mgmt", clusterType: "Sveltos", eventSourceName: "it" },
  } as Readonly<Record<string, object>>;
  return {
    apiVersion: apiVersionOf(gvkOf(kind)),
    kind,
    metadata: { name, labels, ...(isNamespaced && { namespace: fleetNamespace }) },
    spec: spec[kind] ?? {},
  };
};

export type Until = <T>(work: Promise<T>) => Promise<T>;

/** Whether the policies let a write through. */
export async function outcomeOf(work: Promise<unknown>, until: Until): Promise<string> {
  try {
    await until(work);
    return "allowed";
  } catch (error) {
    if (!isForbidden(error) && !isInvalid(error)) throw error;
    assert.match(String(error), /may write on its own word only|word of somebody else|controller's to write|only the controller writes/);
    return "denied";
  }
}

const generated = { ...labelsOf(alice), "eventtrigger.lib.projectsveltos.io/eventtriggername": "theirs" };
const cases: readonly (readonly [user: string, kind: KindName, labels: Readonly<Record<string, string>>, expected: string])[] = [
  ...(["EventSource", "EventTrigger", "ClusterProfile", "Profile"] as const).flatMap((kind) => [
    [userOf(alice), kind, labelsOf(alice), "allowed"] as const,
    [userOf(alice), kind, labelsOf(bob), "denied"] as const,
    [userOf(alice), kind, labelsOf({ namespace: "eng", name: "alicex" }), "denied"] as const,
    [userOf(alice), kind, { "projectsveltos.io/serviceaccount-name": "alice" }, "denied"] as const,
    // The name alone may be that of another one's ServiceAccount.
    [userOf(alice), kind, admin, "denied"] as const,
    [userOf(alice), kind, {}, kind === "Profile" ? "allowed" : "denied"] as const,
    ["jane", kind, labelsOf(alice), "denied"] as const,
    ["jane", kind, {}, kind === "Profile" ? "allowed" : "denied"] as const,
    ["manager", kind, labelsOf(alice), "allowed"] as const,
    ["manager", kind, labelsOf(bob), "denied"] as const,
    [controller, kind, {}, "allowed"] as const,
  ]),
  [userOf(alice), "ClusterProfile", generated, "denied"],
  [userOf(alice), "ClusterSummary", labelsOf(alice), "denied"],
  [userOf(alice), "EventReport", labelsOf(alice), "denied"],
  [controller, "ClusterSummary", {}, "allowed"],
];

export async function checkCreations(hub: Cluster, until: Until): Promise<void> {
  for (const [user, kind, labels, expected] of cases) {
    const found = await outcomeOf(hub.impersonate(user).create(tenantObject(kind, labels), { dryRun: true }), until);
    assert.equal(found, expected, `${user} creates a ${kind} with ${JSON.stringify(labels)}`);
  }
}

export async function checkChanges(hub: Cluster, until: Until): Promise<void> {
  const outcome = (work: Promise<unknown>) => outcomeOf(work, until);
  for (const kind of ["EventSource", "ClusterProfile"] as const) {
    await until(hub.create(tenantObject(kind, labelsOf(alice))));
    const ref = { ...gvkOf(kind), namespace: "", name: "it" };
    const as = (user: string, labels: object) =>
      outcome(hub.impersonate(user).patch(ref, { type: "merge", patch: { metadata: { labels } } }, { dryRun: true }));
    const none = { "projectsveltos.io/serviceaccount-name": null, "projectsveltos.io/serviceaccount-namespace": null };
    assert.deepEqual(
      [
        await as(userOf(alice), { team: "a" }),
        await as(userOf(alice), labelsOf(bob)),
        await as(userOf(alice), none),
        await as(userOf(bob), { team: "b" }),
        await as(userOf(bob), labelsOf(bob)),
        await as(controller, none),
        await outcome(hub.impersonate(userOf(bob)).delete(ref)),
        await outcome(hub.impersonate(userOf(alice)).delete(ref)),
      ],
      ["allowed", "denied", "denied", "denied", "denied", "allowed", "denied", "allowed"],
      kind,
    );
  }
}

const content = (kind: string, namespace: string, labels: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "it", namespace, labels },
});

export async function checkContent(hub: Cluster, until: Until): Promise<void> {
  const outcome = (work: Promise<unknown>) => outcomeOf(work, until);
  for (const kind of ["ConfigMap", "Secret"]) {
    const found: Record<string, string> = {};
    for (const [what, user, namespace, labels] of [
      ["a tenant's", userOf(alice), sveltosNamespace, generated],
      ["elsewhere", userOf(alice), fleetNamespace, generated],
      ["without the labels", userOf(alice), sveltosNamespace, labelsOf(alice)],
      ["the controller's", controller, sveltosNamespace, generated],
    ] as const)
      found[what] = await outcome(hub.impersonate(user).create(content(kind, namespace, labels), { dryRun: true }));
    await until(hub.create(content(kind, sveltosNamespace, generated)));
    const ref = refOf(content(kind, sveltosNamespace, {}));
    const patch = { type: "merge", patch: { data: { v: "MQ==" } } } as const;
    found["a change"] = await outcome(hub.impersonate(userOf(alice)).patch(ref, patch, { dryRun: true }));
    assert.deepEqual(
      found,
      {
        "a tenant's": "denied",
        elsewhere: "allowed",
        "without the labels": "allowed",
        "the controller's": "allowed",
        "a change": "denied",
      },
      kind,
    );
  }
}
