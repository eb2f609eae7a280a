import {
  configMap,
  configMapsPath,
  httpGet,
  namespacedPath,
  httpPost,
  httpPut,
  httpDelete,
  type ConformanceCase,
} from "../conformance-case.ts";

const one = `${configMapsPath}/a`;
const data = { data: { a: "1" } };
const headless = (metadata: { readonly uid?: string }) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s", ...metadata },
  spec: { clusterIP: "None", selector: { app: "web" } },
});
const ingressesPath = namespacedPath("networking.k8s.io/v1", "ingresses");
const ingress = (metadata: { readonly uid?: string }) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: { name: "i", ...metadata },
  spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
});

const rangesPath = namespacedPath("v1", "limitranges");
const leasesPath = namespacedPath("coordination.k8s.io/v1", "leases");
const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "a" }, spec: { holderIdentity: "me" } };
const leasePath = `${leasesPath}/l`;
const leaseWith = (metadata: { readonly uid?: string; readonly resourceVersion?: string }) => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "l", ...metadata },
});

/** Create, read, update and delete, and how each is refused. */
export const crudCases: readonly ConformanceCase[] = [
  {
    id: "crud/create-get",
    title: "what is created is what is read",
    steps: [httpPost(`${configMapsPath}?fieldManager=one`, configMap("a", data)), httpGet(one)],
  },
  {
    id: "crud/limit-range-name",
    title: "a LimitRange without a name gets a uid for it",
    steps: [
      httpPost(rangesPath, { metadata: {}, spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] } }),
      httpPost(rangesPath, { metadata: { name: "" }, spec: { limits: [{ type: "Pod", default: { cpu: "1" } }] } }, { expect: 422 }),
      httpPost(rangesPath, { metadata: { generateName: "x-" }, spec: { limits: [] } }, { show: ["metadata.generateName"] }),
    ],
  },
  {
    id: "crud/create-twice",
    title: "a name is taken once",
    steps: [httpPost(configMapsPath, configMap("a", data)), httpPost(configMapsPath, configMap("a", data), { expect: 409 })],
  },
  {
    id: "crud/not-found",
    title: "what is not there is named",
    steps: [
      httpGet(one, { expect: 404 }),
      httpPut(one, configMap("a", data, { resourceVersion: "1" }), { expect: 404 }),
      httpDelete(one, undefined, { expect: 404 }),
      httpGet(namespacedPath("apps/v1", "deployments", "web"), { expect: 404 }),
    ],
  },
  {
    id: "crud/generate-name",
    title: "a name is generated, and seen in managedFields",
    steps: [
      httpPost(`${configMapsPath}?fieldManager=m1`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { generateName: "made-" },
        data: { a: "1" },
      }),
    ],
  },
  {
    id: "crud/no-name",
    title: "an object without a name is refused",
    steps: [httpPost(configMapsPath, { apiVersion: "v1", kind: "ConfigMap", metadata: {} }, { expect: 422 })],
  },
  {
    id: "crud/bad-names",
    title: "names that are no DNS names are refused, with the rule",
    steps: [
      httpPost(configMapsPath, configMap("Not_Good"), { expect: 422 }),
      httpPost(
        namespacedPath("v1", "services"),
        { apiVersion: "v1", kind: "Service", metadata: { name: "1abc" }, spec: { ports: [{ port: 1 }] } },
        { expect: 422 },
      ),
    ],
  },
  {
    id: "crud/bad-labels",
    title: "labels and annotations that break the rules are refused, each with its field",
    steps: [
      httpPost(configMapsPath, configMap("a", {}, { labels: { "a b": "x" }, annotations: { "-bad-": "y" } }), { expect: 422 }),
      httpPost(configMapsPath, configMap("a", {}, { labels: { ok: "not ok!" } }), { expect: 422 }),
      httpPost(configMapsPath, configMap("a", { data: { "a/b": "x" } }), { expect: 422 }),
    ],
  },
  {
    id: "crud/wrong-namespace",
    title: "a body and a path that disagree are refused",
    steps: [
      httpPost(configMapsPath, configMap("a", {}, { namespace: "other" }), { expect: 400 }),
      httpPost(configMapsPath, configMap("a", data)),
      httpPut(one, configMap("b", data), { expect: 400 }),
    ],
  },
  {
    id: "crud/wrong-kind",
    title: "a body of another kind is refused",
    steps: [
      httpPost(configMapsPath, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }, { expect: 400 }),
      httpPost(configMapsPath, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } }, { expect: 400 }),
      httpPost(configMapsPath, { metadata: { name: "untyped" } }),
    ],
  },
  {
    id: "crud/missing-namespace",
    title: "nothing is created in a namespace that does not exist",
    steps: [
      httpPost("/api/v1/namespaces/{unique}/configmaps", configMap("a"), { expect: 404 }),
      httpGet("/api/v1/namespaces/{unique}", { expect: 404 }),
    ],
  },
  {
    id: "crud/wrong-type",
    title: "a value of the wrong type is refused",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: 1 } }), { expect: 400 }),
      httpPost(
        namespacedPath("apps/v1", "deployments"),
        { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec: { replicas: "three" } },
        { expect: 400 },
      ),
    ],
  },
  {
    id: "crud/update",
    title: "an update changes the version, one that changes nothing does not",
    steps: [
      httpPost(`${configMapsPath}?fieldManager=one`, configMap("a", data), { capture: { rv: "metadata.resourceVersion" } }),
      httpPut(`${one}?fieldManager=one`, configMap("a", { data: { a: "2" } }, { resourceVersion: "{rv}" })),
      httpPut(`${one}?fieldManager=one`, configMap("a", { data: { a: "2" } })),
      httpGet(one),
    ],
  },
  {
    id: "crud/conflict",
    title: "an update of an older version is a conflict",
    steps: [
      httpPost(configMapsPath, configMap("a", data), { capture: { rv: "metadata.resourceVersion" } }),
      httpPut(one, configMap("a", { data: { a: "2" } }, { resourceVersion: "{rv}" })),
      httpPut(one, configMap("a", { data: { a: "3" } }, { resourceVersion: "{rv}" }), { expect: 409 }),
    ],
  },
  {
    id: "crud/update-uid",
    title: "an update with another uid is a conflict",
    steps: [
      httpPost(configMapsPath, configMap("a", data)),
      httpPut(one, configMap("a", { data: { a: "2" } }, { uid: "11111111-1111-1111-1111-111111111111" }), { expect: 409 }),
    ],
  },
  {
    id: "crud/version-on-create",
    title: "a resource version on create is refused",
    steps: [httpPost(configMapsPath, configMap("a", data, { resourceVersion: "5" }), { expect: 500 })],
  },
  {
    id: "crud/version-0",
    title: "version 0 is no version, on create and on update",
    steps: [
      httpPost(configMapsPath, configMap("a", data, { resourceVersion: "0" }), { show: ["data"] }),
      httpPut(one, configMap("a", { data: { a: "2" } }, { resourceVersion: "0" }), { show: ["data"] }),
      httpPost(leasesPath, lease, { show: ["spec"] }),
      httpPut(`${leasesPath}/a`, { ...lease, metadata: { name: "a", resourceVersion: "0" } }, { expect: 422 }),
    ],
  },
  {
    id: "crud/immutable",
    title: "an immutable ConfigMap stays as it is",
    steps: [
      httpPost(configMapsPath, configMap("a", { ...data, immutable: true })),
      httpPut(one, configMap("a", { data: { a: "2" }, immutable: true }), { expect: 422 }),
      httpPut(one, configMap("a", data), { expect: 422 }),
    ],
  },
  {
    id: "crud/delete",
    title: "a deleted object is answered with a Status and is gone",
    steps: [httpPost(configMapsPath, configMap("a", data)), httpDelete(one), httpGet(one, { expect: 404 })],
  },
  {
    id: "crud/delete-preconditions",
    title: "a deletion under a wrong precondition is a conflict",
    steps: [
      httpPost(configMapsPath, configMap("a", data), { capture: { uid: "metadata.uid", rv: "metadata.resourceVersion" } }),
      httpDelete(one, { preconditions: { uid: "11111111-1111-1111-1111-111111111111" } }, { expect: 409 }),
      httpDelete(one, { preconditions: { resourceVersion: "1" } }, { expect: 409 }),
      httpDelete(one, { preconditions: { uid: "{uid}", resourceVersion: "{rv}" } }),
    ],
  },
  {
    id: "crud/delete-collection",
    title: "a collection is deleted by selector",
    steps: [
      httpPost(configMapsPath, configMap("a", {}, { labels: { app: "x" } })),
      httpPost(configMapsPath, configMap("b", {}, { labels: { app: "x" } })),
      httpPost(configMapsPath, configMap("c", {}, { labels: { app: "y" } })),
      httpDelete(`${configMapsPath}?labelSelector=app%3Dx`, undefined, { show: ["metadata.name"] }),
      httpGet(`${configMapsPath}?labelSelector=app`, { show: ["metadata.name"] }),
    ],
  },
  {
    id: "crud/dry-run",
    title: "a dry run answers and writes nothing",
    steps: [
      httpPost(`${configMapsPath}?dryRun=All`, configMap("a", data)),
      httpGet(one, { expect: 404 }),
      httpPost(configMapsPath, configMap("a", data)),
      httpPut(`${one}?dryRun=All`, configMap("a", { data: { a: "2" } })),
      httpDelete(`${one}?dryRun=All`),
      httpGet(one),
      httpPost(`${configMapsPath}?dryRun=Some`, configMap("b"), { expect: 422 }),
    ],
  },
  {
    id: "crud/dry-run-generate-name",
    title: "a dry run still checks",
    steps: [
      httpPost(configMapsPath, configMap("a", data)),
      httpPost(`${configMapsPath}?dryRun=All`, configMap("a", data), { expect: 409 }),
    ],
  },
  {
    id: "crud/strict",
    title: "unknown and doubled fields: strict refuses, warn warns, ignore drops",
    steps: [
      httpPost(`${configMapsPath}?fieldValidation=Strict`, configMap("a", { bogus: 1 }), { expect: 400 }),
      httpPost(`${configMapsPath}?fieldValidation=Warn`, configMap("a", { bogus: 1 })),
      httpPost(`${configMapsPath}?fieldValidation=Ignore`, configMap("b", { bogus: 1 })),
      httpPost(`${configMapsPath}?fieldValidation=Sometimes`, configMap("c"), { expect: 422 }),
      httpPost(
        `${namespacedPath("apps/v1", "deployments")}?fieldValidation=Strict`,
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
      httpPost(configMapsPath, configMap("a", data), { show: ["metadata.resourceVersion"] }),
      httpPost(
        namespacedPath("v1", "secrets"),
        { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } },
        { show: ["metadata.resourceVersion"] },
      ),
      httpPut(one, configMap("a", { data: { a: "2" } }), { show: ["metadata.resourceVersion"] }),
      httpPost(
        namespacedPath("coordination.k8s.io/v1", "leases"),
        { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" } },
        { show: ["metadata.resourceVersion"] },
      ),
    ],
  },
  {
    id: "crud/recreated",
    title: "an object made anew has a new uid",
    steps: [httpPost(configMapsPath, configMap("a", data)), httpDelete(one), httpPost(configMapsPath, configMap("a", data))],
  },
  {
    id: "crud/put-of-deleted",
    title: "a PUT with the uid of an object that is gone is a conflict where a PUT may create",
    steps: [
      httpPost(configMapsPath, configMap("a", data), { capture: { gone: "metadata.uid" }, show: ["metadata.name"] }),
      httpDelete(one, { show: ["kind"] }),
      httpPut(one, configMap("a", data, { uid: "{gone}" }), { expect: 404 }),
      httpPost(leasesPath, leaseWith({}), { capture: { uid: "metadata.uid", rv: "metadata.resourceVersion" } }),
      httpDelete(leasePath),
      httpPut(leasePath, leaseWith({ uid: "{uid}", resourceVersion: "{rv}" }), { expect: 409 }),
      httpPut(leasePath, leaseWith({ uid: "{uid}" }), { expect: 409 }),
      httpPut(leasePath, leaseWith({ resourceVersion: "{rv}" })),
      httpPut(leasePath, leaseWith({ uid: "{uid}" }), { expect: 409 }),
      httpPost(namespacedPath("v1", "services"), headless({}), { capture: { uid: "metadata.uid" }, show: ["metadata.name"] }),
      httpDelete(namespacedPath("v1", "services", "s"), { show: ["kind"] }),
      httpPut(namespacedPath("v1", "services", "s"), headless({ uid: "{uid}" }), { expect: 409 }),
      httpPost(ingressesPath, ingress({}), { show: ["metadata.name"] }),
      httpPut(`${ingressesPath}/i`, ingress({ uid: "{uid}" }), { expect: 409 }),
    ],
  },
  {
    id: "crud/bad-body",
    title: "bodies that cannot be read are refused",
    steps: [
      httpPost(configMapsPath, "not an object", { expect: 400 }),
      httpPost(configMapsPath, configMap("a"), { headers: { "content-type": "text/csv" }, expect: 415 }),
      httpPut(configMapsPath, configMap("a"), { expect: 405 }),
    ],
  },
];
