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

const named = ["metadata.name"];
const labelled = (name: string, labels: { [name: string]: string }) => httpPost(configMapsPath, configMap(name, {}, { labels }));
const five = ["a", "b", "c", "d", "e"].map((name) => labelled(name, { set: "x" }));
const secrets = namespacedPath("v1", "secrets");
const secret = (name: string, type: string) => httpPost(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name }, type });

/** Lists: selectors, pages and versions. */
export const listCases: readonly ConformanceCase[] = [
  {
    id: "list/plain",
    title: "a list carries its kind and version, its items do not",
    steps: [secret("a", "Opaque"), secret("b", "Opaque"), httpGet(secrets)],
  },
  {
    id: "list/empty",
    title: "an empty list has an empty list of items",
    steps: [httpGet(secrets), httpGet(namespacedPath("apps/v1", "deployments"))],
  },
  {
    id: "list/label-selectors",
    title: "every form of a label selector",
    steps: [
      labelled("a", { app: "web", tier: "front" }),
      labelled("b", { app: "web", tier: "back" }),
      labelled("c", { app: "db" }),
      ...[
        "app%3Dweb",
        "app%3D%3Dweb,tier%3Dfront",
        "app!%3Dweb",
        "app%20in%20(web,db)",
        "app%20notin%20(db)",
        "tier",
        "!tier",
        "app,tier%20notin%20(front)",
      ].map((selector) => httpGet(`${configMapsPath}?labelSelector=${selector}`, { show: named })),
    ],
  },
  {
    id: "list/bad-selectors",
    title: "a selector that cannot be read is refused",
    steps: [
      httpGet(`${configMapsPath}?labelSelector=app%3D%3D%3Dweb`, { expect: 400 }),
      httpGet(`${configMapsPath}?labelSelector=app%20in%20web`, { expect: 400 }),
      httpGet(`${configMapsPath}?labelSelector=-bad-%3Dx`, { expect: 400 }),
      httpGet(`${configMapsPath}?fieldSelector=nothing`, { expect: 400 }),
    ],
  },
  {
    id: "list/field-selectors",
    title: "field selectors of any object and of the kind",
    steps: [
      secret("a", "Opaque"),
      secret("b", "example.com/mine"),
      httpGet(`${secrets}?fieldSelector=metadata.name%3Da`, { show: named }),
      httpGet(`${secrets}?fieldSelector=type%3Dexample.com%2Fmine`, { show: named }),
      httpGet(`${secrets}?fieldSelector=type!%3DOpaque,metadata.namespace%3D{ns}`, { show: named }),
      httpGet(`/api/v1/secrets?fieldSelector=metadata.namespace%3D{ns}`, { show: named }),
    ],
  },
  {
    id: "list/unsupported-field",
    title: "a field that cannot be selected by is refused by name",
    steps: [
      httpGet(`${configMapsPath}?fieldSelector=data.a%3D1`, { expect: 400 }),
      httpGet(`${namespacedPath("v1", "pods")}?fieldSelector=spec.containers%3Dx`, { expect: 400 }),
      httpGet(`${namespacedPath("apps/v1", "deployments")}?fieldSelector=spec.replicas%3D1`, { expect: 400 }),
    ],
  },
  {
    id: "list/pages",
    title: "a list in pages, from one snapshot",
    steps: [
      ...five,
      httpGet(`${configMapsPath}?labelSelector=set&limit=2`, { capture: { continue: "metadata.continue" }, show: ["metadata.name"] }),
      httpGet(`${secrets}?limit=2`),
    ],
  },
  {
    id: "list/no-limit",
    title: "a limit of nothing or less is none",
    steps: [...five, ...["0", "-1"].map((limit) => httpGet(`${configMapsPath}?labelSelector=set&limit=${limit}`, { show: named }))],
  },
  {
    id: "list/continue",
    title: "later pages do not see what was made after the first",
    steps: [
      ...["a", "b", "c", "d", "e"].map((name) => secret(name, "Opaque")),
      httpGet(`${secrets}?limit=2`, { capture: { next: "metadata.continue" } }),
      secret("bb", "Opaque"),
      httpDelete(`${secrets}/d`),
      httpGet(`${secrets}?limit=2&continue={next}`, { capture: { next: "metadata.continue" }, show: named }),
      httpGet(`${secrets}?limit=2&continue={next}`, { show: named }),
      httpGet(`${secrets}`, { show: named }),
    ],
  },
  {
    id: "list/bad-continue",
    title: "a continue token that is none, and one with a version, are refused",
    steps: [
      httpGet(`${secrets}?limit=2&continue=nonsense`, { expect: 400 }),
      secret("a", "Opaque"),
      secret("b", "Opaque"),
      httpGet(`${secrets}?limit=1`, { capture: { next: "metadata.continue", rv: "metadata.resourceVersion" }, show: named }),
      httpGet(`${secrets}?limit=1&continue={next}&resourceVersion={rv}`, { expect: 400 }),
    ],
  },
  {
    id: "list/versions",
    title: "lists at a version: any, not older, exact",
    steps: [
      httpPost(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }, { capture: { old: "metadata.resourceVersion" } }),
      { ...secret("b", "Opaque"), capture: { new: "metadata.resourceVersion" } },
      httpGet(`${secrets}?resourceVersion={old}&resourceVersionMatch=Exact`, { show: named }),
      // The cache that answers for versions that are not older has the last one from here on.
      httpGet(`${secrets}?resourceVersion={new}&resourceVersionMatch=NotOlderThan`, { show: named }),
      httpGet(`${secrets}?resourceVersion={old}&resourceVersionMatch=NotOlderThan`, { show: named }),
      httpGet(`${secrets}?resourceVersionMatch=Exact`, { expect: 422 }),
      httpGet(`${secrets}?resourceVersion=0&resourceVersionMatch=Exact`, { expect: 422 }),
      httpGet(`${secrets}?resourceVersion=abc`, { expect: 400 }),
    ],
  },
  {
    id: "list/future",
    title: "a version that has not come yet is waited for, and then refused",
    steps: [httpGet(`${secrets}?resourceVersion=999999999`, { expect: 504 })],
  },
  {
    id: "list/get-at-version",
    title: "one object is read at a version",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }), { capture: { rv: "metadata.resourceVersion" } }),
      httpPut(`${configMapsPath}/a`, configMap("a", { data: { a: "2" } }), { capture: { new: "metadata.resourceVersion" } }),
      httpGet(`${configMapsPath}/a?resourceVersion={new}`, { show: ["data"] }),
      httpGet(`${configMapsPath}/a?resourceVersion={rv}`, { show: ["data"] }),
      httpGet(`${configMapsPath}/zz?resourceVersion=0`, { expect: 404 }),
    ],
  },
  {
    id: "list/all-namespaces",
    title: "a list of all namespaces is in the order of namespace and name",
    namespaces: 2,
    steps: [
      httpPost("/api/v1/namespaces/{ns2}/configmaps", configMap("a", {}, { labels: { mine: "{unique}" } })),
      httpPost(configMapsPath, configMap("b", {}, { labels: { mine: "{unique}" } })),
      httpPost(configMapsPath, configMap("a", {}, { labels: { mine: "{unique}" } })),
      httpGet("/api/v1/configmaps?labelSelector=mine%3D{unique}", { show: ["metadata.namespace", "metadata.name"] }),
    ],
  },
];
