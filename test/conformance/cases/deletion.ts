import { configMap, configMaps, get, inNs, jsonPatch, mergePatch, post, put, remove, type Case } from "../case.ts";

const one = `${configMaps}/a`;
const life = ["metadata.finalizers", "metadata.deletionGracePeriodSeconds", "metadata.generation", "metadata.deletionTimestamp"];
const owned = (name: string, more = {}) =>
  configMap(name, {}, { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "{owner}", ...more }] });
const owner = post(configMaps, configMap("a"), { capture: { owner: "metadata.uid" } });
const rs = inNs("apps/v1", "replicasets");
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
const pods = `${inNs("v1", "pods")}?labelSelector=app%3Dweb`;
const ready = { "condition:Ready": "True" };

/** Deleting: finalizers, owners, namespaces. */
export const deletion: readonly Case[] = [
  {
    id: "deletion/finalizer",
    title: "a finalizer holds a deleted object back until it is taken off",
    steps: [
      post(configMaps, configMap("a", {}, { finalizers: ["example.com/hold"] })),
      remove(one),
      remove(one, undefined, { show: life }),
      get(one),
      mergePatch(one, { data: { still: "writable" } }, { show: ["data"] }),
      jsonPatch(one, [{ op: "remove", path: "/metadata/finalizers" }], { show: life }),
      get(one, { expect: 404 }),
    ],
  },
  {
    id: "deletion/no-new-finalizers",
    title: "an object that is going gets no new finalizers",
    steps: [
      post(configMaps, configMap("a", {}, { finalizers: ["example.com/hold"] })),
      remove(one),
      mergePatch(one, { metadata: { finalizers: ["example.com/hold", "example.com/more"] } }, { expect: 422 }),
      put(one, configMap("a"), { show: life }),
      get(one, { expect: 404 }),
    ],
  },
  {
    id: "deletion/bad-finalizer",
    title: "a finalizer needs a qualified name",
    steps: [post(configMaps, configMap("a", {}, { finalizers: ["no good"] }), { expect: 422 })],
  },
  {
    id: "deletion/watch-finalizer",
    title: "a watch sees a deletion begin and end",
    steps: [
      { ...post(configMaps, configMap("a", {}, { finalizers: ["example.com/hold"] })), capture: { rv: "metadata.resourceVersion" } },
      remove(one),
      mergePatch(one, { metadata: { finalizers: null } }),
      { watch: `${configMaps}?watch=true&resourceVersion={rv}`, name: "w" },
      { events: "w", until: { type: "DELETED" } },
    ],
  },
  {
    id: "deletion/background",
    title: "what an object owns goes after it",
    steps: [
      owner,
      post(configMaps, owned("b")),
      post(configMaps, owned("c", { controller: true, blockOwnerDeletion: true })),
      remove(one, { propagationPolicy: "Background" }),
      get(one, { expect: 404 }),
      { waitFor: `${configMaps}/b`, until: "gone" },
      { waitFor: `${configMaps}/c`, until: "gone" },
    ],
  },
  {
    id: "deletion/foreground",
    title: "what an object owns goes before it",
    steps: [
      owner,
      post(
        configMaps,
        configMap(
          "b",
          {},
          {
            finalizers: ["example.com/hold"],
            ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "{owner}", blockOwnerDeletion: true }],
          },
        ),
      ),
      remove(one, { propagationPolicy: "Foreground" }, { show: life }),
      { waitFor: `${configMaps}/b`, until: { "metadata.deletionGracePeriodSeconds": 0 }, show: life },
      get(one, { show: life }),
      mergePatch(`${configMaps}/b`, { metadata: { finalizers: null } }, { show: [] }),
      { waitFor: one, until: "gone" },
      get(`${configMaps}/b`, { expect: 404 }),
    ],
  },
  {
    id: "deletion/foreground-not-blocking",
    title: "an owned object that does not block is not waited for",
    steps: [
      owner,
      post(
        configMaps,
        configMap(
          "b",
          {},
          { finalizers: ["example.com/hold"], ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "{owner}" }] },
        ),
      ),
      remove(one, { propagationPolicy: "Foreground" }, { show: life }),
      { waitFor: one, until: "gone" },
      { waitFor: `${configMaps}/b`, until: { "metadata.deletionGracePeriodSeconds": 0 }, show: life },
      mergePatch(`${configMaps}/b`, { metadata: { finalizers: null } }, { show: [] }),
    ],
  },
  {
    id: "deletion/orphan",
    title: "what an object owned stays, without its owner",
    steps: [
      owner,
      post(configMaps, owned("b")),
      remove(one, { propagationPolicy: "Orphan" }, { show: life }),
      { waitFor: one, until: "gone" },
      get(`${configMaps}/b`, { show: ["metadata.ownerReferences", "metadata.name"] }),
    ],
  },
  {
    id: "deletion/two-owners",
    title: "an object stays while one of its owners does",
    steps: [
      owner,
      post(configMaps, configMap("a2"), { capture: { second: "metadata.uid" } }),
      post(
        configMaps,
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
      remove(one, { propagationPolicy: "Background" }),
      {
        waitFor: `${configMaps}/b`,
        until: { "metadata.ownerReferences.0.name": "a2", "metadata.ownerReferences.1": null },
        show: ["metadata.ownerReferences"],
      },
      remove(`${configMaps}/a2`, { propagationPolicy: "Background" }),
      { waitFor: `${configMaps}/b`, until: "gone" },
    ],
  },
  {
    id: "deletion/absent-owner",
    title: "an object whose owner never was goes",
    steps: [
      post(
        configMaps,
        configMap(
          "b",
          {},
          { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "zz", uid: "11111111-1111-1111-1111-111111111111" }] },
        ),
        { show: ["metadata.name"] },
      ),
      { waitFor: `${configMaps}/b`, until: "gone" },
    ],
  },
  {
    id: "deletion/bad-options",
    title: "deletions that contradict themselves are refused",
    steps: [
      post(configMaps, configMap("a")),
      remove(one, { propagationPolicy: "Sideways" }, { expect: 422 }),
      remove(one, { propagationPolicy: "Orphan", orphanDependents: true }, { expect: 422 }),
      remove(`${one}?propagationPolicy=Sideways`, undefined, { expect: 422 }),
    ],
  },
  {
    id: "deletion/bad-owner",
    title: "an owner reference needs all its parts, and one controller at most",
    steps: [
      post(configMaps, configMap("b", {}, { ownerReferences: [{ apiVersion: "v1", kind: "", name: "", uid: "" }] }), { expect: 422 }),
      post(
        configMaps,
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
    moves: true,
    steps: [
      post(rs, replicaSet(2), { show: [] }),
      { waitForAll: pods, count: 2, until: ready, show: ["metadata.ownerReferences", "metadata.labels"] },
      remove(`${rs}/web`, { propagationPolicy: "Foreground" }, { show: life }),
      { waitFor: `${rs}/web`, until: "gone" },
      { waitForAll: pods, count: 0 },
    ],
  },
  {
    id: "deletion/replicaset-orphan",
    title: "orphaned pods are adopted by the next ReplicaSet",
    moves: true,
    steps: [
      post(rs, replicaSet(1), { show: [] }),
      { waitForAll: pods, count: 1, until: ready, show: ["metadata.ownerReferences"] },
      remove(`${rs}/web`, { propagationPolicy: "Orphan" }, { show: life }),
      { waitFor: `${rs}/web`, until: "gone" },
      { waitForAll: pods, count: 1, until: { "metadata.ownerReferences": null }, show: ["metadata.ownerReferences", "metadata.labels"] },
      post(rs, replicaSet(1), { show: ["metadata.uid"] }),
      { waitForAll: pods, count: 1, until: { "metadata.ownerReferences.0.name": "web" }, show: ["metadata.ownerReferences"] },
    ],
  },
  {
    id: "deletion/namespace",
    title: "a namespace takes all that is in it along",
    steps: [
      post(configMaps, configMap("held", {}, { finalizers: ["example.com/hold"] })),
      post(configMaps, configMap("free")),
      remove("/api/v1/namespaces/{ns}", undefined, { show: ["status.phase", "spec", "metadata.deletionTimestamp"] }),
      { waitFor: `${configMaps}/free`, until: "gone" },
      { waitFor: "/api/v1/namespaces/{ns}", until: { "condition:NamespaceFinalizersRemaining": "True" }, show: ["status", "spec"] },
      post(configMaps, configMap("late"), { expect: 403 }),
      mergePatch(`${configMaps}/held`, { metadata: { finalizers: null } }, { show: [] }),
      { waitFor: "/api/v1/namespaces/{ns}", until: "gone" },
    ],
  },
  {
    id: "deletion/namespace-made",
    title: "a namespace is made with a label and a finalizer of its own, and filled",
    steps: [
      get("/api/v1/namespaces/{ns}"),
      get(inNs("v1", "serviceaccounts", "default")),
      get(inNs("v1", "configmaps", "kube-root-ca.crt"), { show: ["metadata.name", "metadata.annotations"] }),
    ],
  },
  {
    id: "deletion/namespace-protected",
    title: "the default namespace cannot be deleted",
    namespaces: 0,
    steps: [remove("/api/v1/namespaces/default", undefined, { expect: 403 })],
  },
];
