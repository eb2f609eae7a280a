import {
  configMap,
  configMapsPath,
  httpGet,
  namespacedPath,
  jsonPatch,
  mergePatch,
  httpPost,
  httpPut,
  httpDelete,
  type ConformanceCase,
} from "../conformance-case.ts";

const one = `${configMapsPath}/a`;
const life = ["metadata.finalizers", "metadata.deletionGracePeriodSeconds", "metadata.generation", "metadata.deletionTimestamp"];
const owned = (name: string, more = {}) =>
  configMap(name, {}, { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "{owner}", ...more }] });
const owner = httpPost(configMapsPath, configMap("a"), { capture: { owner: "metadata.uid" } });
const rs = namespacedPath("apps/v1", "replicasets");
const replicaSet = (replicas: number) => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "example.com/good:1" }] } },
  },
});
const pods = `${namespacedPath("v1", "pods")}?labelSelector=app%3Dweb`;
const ready = { "condition:Ready": "True" };

/** Deleting: finalizers, owners, namespaces. */
export const deletionCases: readonly ConformanceCase[] = [
  {
    id: "deletion/finalizer",
    title: "a finalizer holds a deleted object back until it is taken off",
    steps: [
      httpPost(configMapsPath, configMap("a", {}, { finalizers: ["example.com/hold"] })),
      httpDelete(one),
      httpDelete(one, undefined, { show: life }),
      httpGet(one),
      mergePatch(one, { data: { still: "writable" } }, { show: ["data"] }),
      jsonPatch(one, [{ op: "remove", path: "/metadata/finalizers" }], { show: life }),
      httpGet(one, { expect: 404 }),
    ],
  },
  {
    id: "deletion/no-new-finalizers",
    title: "an object that is going gets no new finalizers",
    steps: [
      httpPost(configMapsPath, configMap("a", {}, { finalizers: ["example.com/hold"] })),
      httpDelete(one),
      mergePatch(one, { metadata: { finalizers: ["example.com/hold", "example.com/more"] } }, { expect: 422 }),
      httpPut(one, configMap("a"), { show: life }),
      httpGet(one, { expect: 404 }),
    ],
  },
  {
    id: "deletion/bad-finalizer",
    title: "a finalizer needs a qualified name",
    steps: [httpPost(configMapsPath, configMap("a", {}, { finalizers: ["no good"] }), { expect: 422 })],
  },
  {
    id: "deletion/watch-finalizer",
    title: "a watch sees a deletion begin and end",
    steps: [
      {
        ...httpPost(configMapsPath, configMap("a", {}, { finalizers: ["example.com/hold"] })),
        capture: { rv: "metadata.resourceVersion" },
      },
      httpDelete(one),
      mergePatch(one, { metadata: { finalizers: null } }),
      { watch: `${configMapsPath}?watch=true&resourceVersion={rv}`, name: "w" },
      { events: "w", until: { type: "DELETED" } },
    ],
  },
  {
    id: "deletion/background",
    title: "what an object owns goes after it",
    steps: [
      owner,
      httpPost(configMapsPath, owned("b")),
      httpPost(configMapsPath, owned("c", { controller: true, blockOwnerDeletion: true })),
      httpDelete(one, { propagationPolicy: "Background" }),
      httpGet(one, { expect: 404 }),
      { waitFor: `${configMapsPath}/b`, until: "gone" },
      { waitFor: `${configMapsPath}/c`, until: "gone" },
    ],
  },
  {
    id: "deletion/foreground",
    title: "what an object owns goes before it",
    steps: [
      owner,
      httpPost(
        configMapsPath,
        configMap(
          "b",
          {},
          {
            finalizers: ["example.com/hold"],
            ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "{owner}", blockOwnerDeletion: true }],
          },
        ),
      ),
      httpDelete(one, { propagationPolicy: "Foreground" }, { show: life }),
      { waitFor: `${configMapsPath}/b`, until: { "metadata.deletionGracePeriodSeconds": 0 }, show: life },
      httpGet(one, { show: life }),
      mergePatch(`${configMapsPath}/b`, { metadata: { finalizers: null } }, { show: [] }),
      { waitFor: one, until: "gone" },
      httpGet(`${configMapsPath}/b`, { expect: 404 }),
    ],
  },
  {
    id: "deletion/foreground-not-blocking",
    title: "an owned object that does not block is not waited for",
    steps: [
      owner,
      httpPost(
        configMapsPath,
        configMap(
          "b",
          {},
          { finalizers: ["example.com/hold"], ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "{owner}" }] },
        ),
      ),
      httpDelete(one, { propagationPolicy: "Foreground" }, { show: life }),
      { waitFor: one, until: "gone" },
      { waitFor: `${configMapsPath}/b`, until: { "metadata.deletionGracePeriodSeconds": 0 }, show: life },
      mergePatch(`${configMapsPath}/b`, { metadata: { finalizers: null } }, { show: [] }),
    ],
  },
  {
    id: "deletion/orphan",
    title: "what an object owned stays, without its owner",
    steps: [
      owner,
      httpPost(configMapsPath, owned("b")),
      httpDelete(one, { propagationPolicy: "Orphan" }, { show: life }),
      { waitFor: one, until: "gone" },
      httpGet(`${configMapsPath}/b`, { show: ["metadata.ownerReferences", "metadata.name"] }),
    ],
  },
  {
    id: "deletion/two-owners",
    title: "an object stays while one of its owners does",
    steps: [
      owner,
      httpPost(configMapsPath, configMap("a2"), { capture: { second: "metadata.uid" } }),
      httpPost(
        configMapsPath,
        configMap(
          "b",
          {},
          {
            ownerReferences: [
              { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "{owner}" },
              { apiVersion: "v1", kind: "ConfigMap", name: "a2", uid: "{second}" },
            ],
          },
        ),
      ),
      httpDelete(one, { propagationPolicy: "Background" }),
      {
        waitFor: `${configMapsPath}/b`,
        until: { "metadata.ownerReferences.0.name": "a2", "metadata.ownerReferences.1": null },
        show: ["metadata.ownerReferences"],
      },
      httpDelete(`${configMapsPath}/a2`, { propagationPolicy: "Background" }),
      { waitFor: `${configMapsPath}/b`, until: "gone" },
    ],
  },
  {
    id: "deletion/absent-owner",
    title: "an object whose owner never was goes",
    steps: [
      httpPost(
        configMapsPath,
        configMap(
          "b",
          {},
          { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "zz", uid: "11111111-1111-1111-1111-111111111111" }] },
        ),
        { show: ["metadata.name"] },
      ),
      { waitFor: `${configMapsPath}/b`, until: "gone" },
    ],
  },
  {
    id: "deletion/bad-options",
    title: "deletions that contradict themselves are refused",
    steps: [
      httpPost(configMapsPath, configMap("a")),
      httpDelete(one, { propagationPolicy: "Sideways" }, { expect: 422 }),
      httpDelete(one, { propagationPolicy: "Orphan", orphanDependents: true }, { expect: 422 }),
      httpDelete(`${one}?propagationPolicy=Sideways`, undefined, { expect: 422 }),
    ],
  },
  {
    id: "deletion/bad-owner",
    title: "an owner reference needs all its parts, and one controller at most",
    steps: [
      httpPost(configMapsPath, configMap("b", {}, { ownerReferences: [{ apiVersion: "v1", kind: "", name: "", uid: "" }] }), {
        expect: 422,
      }),
      httpPost(
        configMapsPath,
        configMap(
          "b",
          {},
          {
            ownerReferences: [
              { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "1", controller: true },
              { apiVersion: "v1", kind: "ConfigMap", name: "y", uid: "2", controller: true },
            ],
          },
        ),
        { expect: 422 },
      ),
    ],
  },
  {
    id: "deletion/replicaset-cascade",
    title: "a ReplicaSet takes its pods along, foreground",
    needsKubelet: true,
    steps: [
      httpPost(rs, replicaSet(2), { show: [] }),
      { waitForAll: pods, count: 2, until: ready, show: ["metadata.ownerReferences", "metadata.labels"] },
      httpDelete(`${rs}/web`, { propagationPolicy: "Foreground" }, { show: life }),
      { waitFor: `${rs}/web`, until: "gone" },
      { waitForAll: pods, count: 0 },
    ],
  },
  {
    id: "deletion/replicaset-orphan",
    title: "orphaned pods are adopted by the next ReplicaSet",
    needsKubelet: true,
    steps: [
      httpPost(rs, replicaSet(1), { show: [] }),
      { waitForAll: pods, count: 1, until: ready, show: ["metadata.ownerReferences"] },
      httpDelete(`${rs}/web`, { propagationPolicy: "Orphan" }, { show: life }),
      { waitFor: `${rs}/web`, until: "gone" },
      { waitForAll: pods, count: 1, until: { "metadata.ownerReferences": null }, show: ["metadata.ownerReferences", "metadata.labels"] },
      httpPost(rs, replicaSet(1), { show: ["metadata.uid"] }),
      { waitForAll: pods, count: 1, until: { "metadata.ownerReferences.0.name": "web" }, show: ["metadata.ownerReferences"] },
    ],
  },
  {
    id: "deletion/namespace",
    title: "a namespace takes all that is in it along",
    steps: [
      httpPost(configMapsPath, configMap("held", {}, { finalizers: ["example.com/hold"] })),
      httpPost(configMapsPath, configMap("free")),
      httpDelete("/api/v1/namespaces/{ns}", undefined, { show: ["status.phase", "spec", "metadata.deletionTimestamp"] }),
      { waitFor: `${configMapsPath}/free`, until: "gone" },
      { waitFor: "/api/v1/namespaces/{ns}", until: { "condition:NamespaceFinalizersRemaining": "True" }, show: ["status", "spec"] },
      httpPost(configMapsPath, configMap("late"), { expect: 403 }),
      mergePatch(`${configMapsPath}/held`, { metadata: { finalizers: null } }, { show: [] }),
      { waitFor: "/api/v1/namespaces/{ns}", until: "gone" },
    ],
  },
  {
    id: "deletion/namespace-made",
    title: "a namespace is made with a label and a finalizer of its own, and filled",
    steps: [
      httpGet("/api/v1/namespaces/{ns}"),
      httpGet(namespacedPath("v1", "serviceaccounts", "default")),
      httpGet(namespacedPath("v1", "configmaps", "kube-root-ca.crt"), { show: ["metadata.name", "metadata.annotations"] }),
    ],
  },
  {
    id: "deletion/namespace-protected",
    title: "the default namespace cannot be deleted",
    namespaces: 0,
    steps: [httpDelete("/api/v1/namespaces/default", undefined, { expect: 403 })],
  },
];
