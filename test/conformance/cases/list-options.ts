import {
  applyRequest,
  configMap,
  configMapsPath,
  httpGet,
  httpPost,
  jsonPatch,
  namespacedPath,
  type CaseStep,
  type ConformanceCase,
} from "../conformance-case.ts";
import { establishSteps, widgetCrdOf, widgetsPath } from "./widget.ts";

const named = ["metadata.name"];
const secrets = namespacedPath("v1", "secrets");
const secret = (name: string) =>
  httpPost(secrets, { apiVersion: "v1", kind: "Secret", metadata: { name } }, { capture: { [name]: "metadata.resourceVersion" } });
const token = (fields: object) => Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", ...fields })).toString("base64url");
const refused = (query: string, expect: number) => httpGet(`${secrets}?${query}`, { expect });
const page = (query: string) => httpGet(`${secrets}?${query}`, { show: [...named, "metadata.remainingItemCount"] });

/** A watch of the Secrets that ends by itself, and all of its events. */
const watched = (name: string, query: string): CaseStep[] => [
  { watch: `${secrets}?watch=1&timeoutSeconds=1&${query}`, name },
  { events: name, until: "end", show: ["metadata.name", "metadata.annotations", "message", "code", "reason"] },
];
const unwatchable = (name: string, query: string): CaseStep => ({ watch: `${secrets}?watch=1&${query}`, name, expect: 422 });

/** The cache that answers for any version has that one then. */
const cached = (name: string) => page(`resourceVersion={${name}}&resourceVersionMatch=NotOlderThan`);

const operations = (count: number) => Array.from({ length: count }, () => ({ op: "test", path: "/data/a", value: "1" }));

const clusterWide = ["rbac.authorization.k8s.io/v1/clusterroles", "storage.k8s.io/v1/csidrivers", "node.k8s.io/v1/runtimeclasses"];

/** The options of lists and watches, and the limits of patches. */
export const listOptionsCases: readonly ConformanceCase[] = [
  {
    id: "list-options/numbers",
    title: "a number that is none is refused in Go's words",
    steps: ["limit=abc", "limit=1.5", "limit=", "limit=99999999999999999999", "timeoutSeconds=abc"].map((query) => refused(query, 400)),
  },
  {
    id: "list-options/booleans",
    title: "everything but 0 and false is true, and a watch of one object is a get",
    steps: [
      secret("a"),
      ...watched("odd", "watch=abc&allowWatchBookmarks=yes"),
      ...watched("nothing", "watch=&allowWatchBookmarks="),
      page("watch=FALSE"),
      page("watch=0"),
      httpGet(`${secrets}/a?watch=true`, { show: named }),
    ],
  },
  {
    id: "list-options/broken-parameters",
    title: "a parameter that is not well encoded is left out",
    steps: [secret("a"), page("labelSelector=%%%"), page("labelSelector=x%3Dy;limit=1"), page("fieldSelector=%zz")],
  },
  {
    id: "list-options/match",
    title: "resourceVersionMatch in all its forms",
    steps: [
      secret("a"),
      secret("b"),
      secret("c"),
      cached("c"),
      page("resourceVersion={b}&resourceVersionMatch=Exact"),
      page("resourceVersion={b}&resourceVersionMatch=Exact&limit=1"),
      page("resourceVersion={b}&resourceVersionMatch=NotOlderThan"),
      page("resourceVersion={b}&limit=1"),
      refused("resourceVersionMatch=Exact&resourceVersion=0", 422),
      refused("resourceVersionMatch=Some", 422),
      refused("resourceVersionMatch=Some&resourceVersion={a}", 422),
      refused("resourceVersionMatch=Exact&resourceVersion={a}&continue=abc", 422),
      refused("sendInitialEvents=true", 422),
      refused("sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=1", 422),
    ],
  },
  {
    id: "list-options/any-version",
    title: "a list at any version has no pages, but one of Events has",
    steps: [
      secret("a"),
      secret("b"),
      cached("b"),
      page("resourceVersion=0&limit=1"),
      page("resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=1"),
      ...["e1", "e2"].map((name) =>
        httpPost(
          namespacedPath("v1", "events"),
          { metadata: { name }, involvedObject: { kind: "Secret", name: "a", namespace: "{ns}" }, reason: "r", type: "Normal" },
          { show: named, capture: { event: "metadata.resourceVersion" } },
        ),
      ),
      httpGet(`${namespacedPath("v1", "events")}?resourceVersion={event}`, { show: named }),
      httpGet(`${namespacedPath("v1", "events")}?resourceVersion=0&limit=1`, { show: named }),
    ],
  },
  {
    id: "list-options/tokens",
    title: "a continue token that was not given out is refused",
    steps: [
      secret("a"),
      ...[{}, { v: "other" }, { rv: 0, start: "a" }, { rv: -1, start: "" }, { rv: -1, start: "../x" }, { rv: -1, start: "a//b" }].map(
        (each) => refused(`continue=${token(each)}`, 400),
      ),
      refused("continue=abc*", 400),
      refused("continue=abcde", 400),
      refused(`continue=${token({ rv: -1, start: "a" })}&resourceVersion=5`, 400),
      page(`continue=${token({ rv: -1, start: "a" })}`),
      page(`continue=${token({ rv: -1, start: "b" })}`),
    ],
  },
  {
    id: "list-options/watch-match",
    title: "a watch with resourceVersionMatch must ask for initial events, and not older than",
    steps: [
      unwatchable("a", "resourceVersionMatch=NotOlderThan"),
      unwatchable("b", "resourceVersionMatch=Exact&resourceVersion=1"),
      unwatchable("c", "sendInitialEvents=true"),
      unwatchable("d", "sendInitialEvents=true&resourceVersionMatch=Exact"),
      unwatchable("e", "sendInitialEvents=false&resourceVersionMatch=Some"),
      unwatchable("f", "continue=abc"),
    ],
  },
  {
    id: "list-options/watch-start",
    title: "a watch from no version on tells where its initial events end",
    steps: [
      secret("a"),
      secret("b"),
      cached("b"),
      ...watched("bare", "allowWatchBookmarks=true"),
      ...watched("zero", "resourceVersion=0&allowWatchBookmarks=true"),
      ...watched("quiet", "resourceVersion=0"),
      ...watched("later", "resourceVersion={a}&allowWatchBookmarks=true"),
      ...watched("initial", "sendInitialEvents=1&resourceVersionMatch=NotOlderThan&resourceVersion={a}&allowWatchBookmarks=true"),
      ...watched("none", "sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={a}"),
      ...watched("future", "resourceVersion=99999999"),
    ],
  },
  {
    id: "list-options/watch-named",
    title: "a watch of one object takes no other name as a selector",
    steps: [
      { watch: `/api/v1/watch/namespaces/{ns}/secrets/a?fieldSelector=metadata.name%3Db`, name: "other", expect: 400 },
      { watch: `/api/v1/watch/namespaces/{ns}/secrets/a?fieldSelector=type%3DOpaque`, name: "type", expect: 400 },
    ],
  },
  {
    id: "list-options/fields",
    title: "which fields select is fixed for each kind",
    steps: [
      ...clusterWide.map((resource) => httpGet(`/apis/${resource}?fieldSelector=metadata.namespace%3Dx`, { show: named })),
      httpGet("/api/v1/nodes?fieldSelector=metadata.namespace%3Dx", { expect: 400 }),
      httpGet("/apis/resource.k8s.io/v1/resourceslices?fieldSelector=metadata.uid%3Dx", { expect: 400 }),
      httpGet(`${namespacedPath("apps/v1", "replicasets")}?fieldSelector=status.replicas%3D1`, { expect: 400 }),
      httpGet(`${namespacedPath("v1", "replicationcontrollers")}?fieldSelector=status.replicas%3D1`, { show: named }),
      httpGet(`${namespacedPath("v1", "pods")}?fieldSelector=spec.host%3Dx`, { show: named }),
      ...establishSteps(widgetCrdOf({ "x-kubernetes-preserve-unknown-fields": true })),
      httpGet(`${widgetsPath}?fieldSelector=spec.size%3D1`, { expect: 400 }),
    ],
  },
  {
    id: "list-options/applied-nulls",
    title: "apply keeps a null that the schema does not allow, and validation refuses it",
    steps: [
      ...establishSteps(
        widgetCrdOf({
          properties: {
            size: { type: "integer" },
            color: { type: "string", nullable: true },
            kind: { type: "string", default: "plain" },
            list: { type: "array", items: { type: "string" } },
            map: { type: "object", additionalProperties: { type: "string" } },
          },
        }),
      ),
      ...[{ size: null }, { list: null }, { map: { a: null } }].map((spec) =>
        applyRequest(`${widgetsPath}/a`, { apiVersion: "{group}/v1", kind: "Widget", metadata: { name: "a" }, spec }, { expect: 422 }),
      ),
      applyRequest(`${widgetsPath}/a`, {
        apiVersion: "{group}/v1",
        kind: "Widget",
        metadata: { name: "a" },
        spec: { color: null, kind: null },
      }),
      httpPost(widgetsPath, { apiVersion: "{group}/v1", kind: "Widget", metadata: { name: "b" }, spec: { size: null, map: { a: null } } }),
    ],
  },
  {
    id: "list-options/many-operations",
    title: "a JSON patch of more than 10,000 operations is refused",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }), { show: named }),
      jsonPatch(`${configMapsPath}/a`, operations(10_000), { show: named }),
      jsonPatch(`${configMapsPath}/a`, operations(10_001), { expect: 413 }),
      jsonPatch(`${configMapsPath}/none`, operations(10_001), { expect: 404 }),
    ],
  },
];
