import { configMap, configMaps, get, inNs, post, put, remove, type Case } from "../case.ts";

const one = `${configMaps}/a`;
const data = { data: { a: "1" } };

/** Create, read, update and delete, and how each is refused. */
export const crud: readonly Case[] = [
  {
    id: "crud/create-get",
    title: "what is created is what is read",
    steps: [post(`${configMaps}?fieldManager=one`, configMap("a", data)), get(one)],
  },
  {
    id: "crud/create-twice",
    title: "a name is taken once",
    steps: [post(configMaps, configMap("a", data)), post(configMaps, configMap("a", data), { expect: 409 })],
  },
  {
    id: "crud/not-found",
    title: "what is not there is named",
    steps: [
      get(one, { expect: 404 }),
      put(one, configMap("a", data, { resourceVersion: "1" }), { expect: 404 }),
      remove(one, undefined, { expect: 404 }),
      get(inNs("apps/v1", "deployments", "web"), { expect: 404 }),
    ],
  },
  {
    id: "crud/generate-name",
    title: "a name is generated, and seen in managedFields",
    steps: [
      post(`${configMaps}?fieldManager=m1`, { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "made-" }, data: { a: "1" } }),
    ],
  },
  {
    id: "crud/no-name",
    title: "an object without a name is refused",
    steps: [post(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: {} }, { expect: 422 })],
  },
  {
    id: "crud/bad-names",
    title: "names that are no DNS names are refused, with the rule",
    steps: [
      post(configMaps, configMap("Not_Good"), { expect: 422 }),
      post(
        inNs("v1", "services"),
        { apiVersion: "v1", kind: "Service", metadata: { name: "1abc" }, spec: { ports: [{ port: 1 }] } },
        { expect: 422 },
      ),
    ],
  },
  {
    id: "crud/bad-labels",
    title: "labels and annotations that break the rules are refused, each with its field",
    steps: [
      post(configMaps, configMap("a", {}, { labels: { "a b": "x" }, annotations: { "-bad-": "y" } }), { expect: 422 }),
      post(configMaps, configMap("a", {}, { labels: { ok: "not ok!" } }), { expect: 422 }),
      post(configMaps, configMap("a", { data: { "a/b": "x" } }), { expect: 422 }),
    ],
  },
  {
    id: "crud/wrong-namespace",
    title: "a body and a path that disagree are refused",
    steps: [
      post(configMaps, configMap("a", {}, { namespace: "other" }), { expect: 400 }),
      post(configMaps, configMap("a", data)),
      put(one, configMap("b", data), { expect: 400 }),
    ],
  },
  {
    id: "crud/wrong-kind",
    title: "a body of another kind is refused",
    steps: [
      post(configMaps, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }, { expect: 400 }),
      post(configMaps, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } }, { expect: 400 }),
      post(configMaps, { metadata: { name: "untyped" } }),
    ],
  },
  {
    id: "crud/missing-namespace",
    title: "nothing is created in a namespace that does not exist",
    steps: [
      post("/api/v1/namespaces/{unique}/configmaps", configMap("a"), { expect: 404 }),
      get("/api/v1/namespaces/{unique}", { expect: 404 }),
    ],
  },
  {
    id: "crud/wrong-type",
    title: "a value of the wrong type is refused",
    steps: [
      post(configMaps, configMap("a", { data: { a: 1 } }), { expect: 400 }),
      post(
        inNs("apps/v1", "deployments"),
        { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec: { replicas: "three" } },
        { expect: 400 },
      ),
    ],
  },
  {
    id: "crud/update",
    title: "an update changes the version, one that changes nothing does not",
    steps: [
      post(`${configMaps}?fieldManager=one`, configMap("a", data), { capture: { rv: "metadata.resourceVersion" } }),
      put(`${one}?fieldManager=one`, configMap("a", { data: { a: "2" } }, { resourceVersion: "{rv}" })),
      put(`${one}?fieldManager=one`, configMap("a", { data: { a: "2" } })),
      get(one),
    ],
  },
  {
    id: "crud/conflict",
    title: "an update of an older version is a conflict",
    steps: [
      post(configMaps, configMap("a", data), { capture: { rv: "metadata.resourceVersion" } }),
      put(one, configMap("a", { data: { a: "2" } }, { resourceVersion: "{rv}" })),
      put(one, configMap("a", { data: { a: "3" } }, { resourceVersion: "{rv}" }), { expect: 409 }),
    ],
  },
  {
    id: "crud/update-uid",
    title: "an update with another uid is a conflict",
    steps: [
      post(configMaps, configMap("a", data)),
      put(one, configMap("a", { data: { a: "2" } }, { uid: "11111111-1111-1111-1111-111111111111" }), { expect: 409 }),
    ],
  },
  {
    id: "crud/version-on-create",
    title: "a resource version on create is refused",
    steps: [post(configMaps, configMap("a", data, { resourceVersion: "5" }), { expect: 500 })],
  },
  {
    id: "crud/immutable",
    title: "an immutable ConfigMap stays as it is",
    steps: [
      post(configMaps, configMap("a", { ...data, immutable: true })),
      put(one, configMap("a", { data: { a: "2" }, immutable: true }), { expect: 422 }),
      put(one, configMap("a", data), { expect: 422 }),
    ],
  },
  {
    id: "crud/delete",
    title: "a deleted object is answered with a Status and is gone",
    steps: [post(configMaps, configMap("a", data)), remove(one), get(one, { expect: 404 })],
  },
  {
    id: "crud/delete-preconditions",
    title: "a deletion under a wrong precondition is a conflict",
    steps: [
      post(configMaps, configMap("a", data), { capture: { uid: "metadata.uid", rv: "metadata.resourceVersion" } }),
      remove(one, { preconditions: { uid: "11111111-1111-1111-1111-111111111111" } }, { expect: 409 }),
      remove(one, { preconditions: { resourceVersion: "1" } }, { expect: 409 }),
      remove(one, { preconditions: { uid: "{uid}", resourceVersion: "{rv}" } }),
    ],
  },
  {
    id: "crud/delete-collection",
    title: "a collection is deleted by selector",
    steps: [
      post(configMaps, configMap("a", {}, { labels: { app: "x" } })),
      post(configMaps, configMap("b", {}, { labels: { app: "x" } })),
      post(configMaps, configMap("c", {}, { labels: { app: "y" } })),
      remove(`${configMaps}?labelSelector=app%3Dx`, undefined, { show: ["metadata.name"] }),
      get(`${configMaps}?labelSelector=app`, { show: ["metadata.name"] }),
    ],
  },
  {
    id: "crud/dry-run",
    title: "a dry run answers and writes nothing",
    steps: [
      post(`${configMaps}?dryRun=All`, configMap("a", data)),
      get(one, { expect: 404 }),
      post(configMaps, configMap("a", data)),
      put(`${one}?dryRun=All`, configMap("a", { data: { a: "2" } })),
      remove(`${one}?dryRun=All`),
      get(one),
      post(`${configMaps}?dryRun=Some`, configMap("b"), { expect: 422 }),
    ],
  },
  {
    id: "crud/dry-run-generate-name",
    title: "a dry run still checks",
    steps: [post(configMaps, configMap("a", data)), post(`${configMaps}?dryRun=All`, configMap("a", data), { expect: 409 })],
  },
  {
    id: "crud/strict",
    title: "unknown and doubled fields: strict refuses, warn warns, ignore drops",
    steps: [
      post(`${configMaps}?fieldValidation=Strict`, configMap("a", { bogus: 1 }), { expect: 400 }),
      post(`${configMaps}?fieldValidation=Warn`, configMap("a", { bogus: 1 })),
      post(`${configMaps}?fieldValidation=Ignore`, configMap("b", { bogus: 1 })),
      post(`${configMaps}?fieldValidation=Sometimes`, configMap("c"), { expect: 422 }),
      post(
        `${inNs("apps/v1", "deployments")}?fieldValidation=Strict`,
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "web", lables: {} },
          spec: {
            replica: 1,
            selector: { matchLabels: { a: "b" } },
            template: {
              metadata: { labels: { a: "b" } },
              spec: { containers: [{ name: "c", image: "example.com/good:1", imagePullPolice: "Always" }] },
            },
          },
        },
        { expect: 400 },
      ),
    ],
  },
  {
    id: "crud/one-counter",
    title: "all resources share one counter of versions",
    oneCounter: true,
    steps: [
      post(configMaps, configMap("a", data), { show: ["metadata.resourceVersion"] }),
      post(inNs("v1", "secrets"), { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } }, { show: ["metadata.resourceVersion"] }),
      put(one, configMap("a", { data: { a: "2" } }), { show: ["metadata.resourceVersion"] }),
      post(
        inNs("coordination.k8s.io/v1", "leases"),
        { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" } },
        { show: ["metadata.resourceVersion"] },
      ),
    ],
  },
  {
    id: "crud/recreated",
    title: "an object made anew has a new uid",
    steps: [post(configMaps, configMap("a", data)), remove(one), post(configMaps, configMap("a", data))],
  },
  {
    id: "crud/bad-body",
    title: "bodies that cannot be read are refused",
    steps: [
      post(configMaps, "not an object", { expect: 400 }),
      post(configMaps, configMap("a"), { headers: { "content-type": "text/csv" }, expect: 415 }),
      put(configMaps, configMap("a"), { expect: 405 }),
    ],
  },
];
