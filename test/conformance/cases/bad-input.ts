import type { Json } from "../../../src/core/object/index.ts";
import {
  applyRequest,
  configMap,
  configMapsPath,
  httpDelete,
  httpGet,
  httpPost,
  jsonPatch,
  mergePatch,
  namespacedPath,
  strategicPatch,
  type ConformanceCase,
} from "../conformance-case.ts";
import { establishSteps, widgetCrdOf, widgetsPath } from "./widget.ts";

const timeouts = ["5", "abc", "1d", "1s1", "99999999999h", ".s", "1.s2", "1%C2%B5s3", "%20", "-", "1e3s", "1s%22"];

const notFound = [
  "//api/v1/namespaces",
  "/api//v1/namespaces",
  "/api/v1/namespaces//default",
  "/api/v1/namespaces/default//configmaps",
  "/api/v1/namespaces/a%2Fb",
  "/api/v1/namespaces/default/configmaps/x/y",
  "/apis/apps/v9",
  "/version/x",
  "/healthz/",
  "/constructor",
  "/apis/__proto__/v1/x",
];

const yamls = ["metadata:\n\tname: x\n", "{", "? [a]\n: b\n", "- a", "7", '{"data":{"a":"\\x"}}', "metadata: &a {name: [*a]}"];
const yaml = { "content-type": "application/yaml" };
const json = { "content-type": "application/json" };
const jsons = [
  "{",
  "{}{}",
  '{"a":1,}',
  "[]",
  "7",
  " ",
  '{"data":{"a":NaN}}',
  '{"data":{"a":"\u0001"}}',
  `{"a":${"[".repeat(10_001)}`,
  "\ufeff{}",
];
const types = ["application/json; charset", "application/json;;", "*/*", "nonsense", "application/json;a=b;", "APPLICATION/JSON"];

const deployments = namespacedPath("apps/v1", "deployments");
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };

const otherTypes: readonly { readonly apiVersion: Json; readonly kind: Json; readonly expect?: number }[] = [
  { apiVersion: "v1", kind: 5 },
  { apiVersion: "v1", kind: {} },
  { apiVersion: {}, kind: "ConfigMap" },
  { apiVersion: "a/b/c", kind: "ConfigMap" },
  { apiVersion: "v1", kind: null, expect: 201 },
];

const sets = namespacedPath("apps/v1", "replicasets");
const replicaSet = (replicas: number, name = "a") => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name },
  spec: { replicas, selector: { matchLabels: { a: "b" } }, template },
});
const scaleTo = (replicas: number) => ({ apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "a" }, spec: { replicas } });
const portOf = (targetPort: number) => ({ metadata: { name: "s" }, spec: { clusterIP: "None", ports: [{ port: 80, targetPort }] } });

/** Requests that no client of Kubernetes makes. */
export const badInputCases: readonly ConformanceCase[] = [
  {
    id: "bad-input/yaml-order",
    title: "what is wrong in YAML is found in the order of its keys",
    steps: [
      {
        call: `POST ${configMapsPath}?dryRun=All`,
        text: "metadata: {name: a, labels: x}\nbinaryData: {a: '!!'}\n",
        headers: yaml,
        expect: 400,
      },
      {
        call: `POST ${configMapsPath}?dryRun=All`,
        text: "unknown: 1\nmetadata: {name: a, odd: 1}\nextra: 2\n",
        headers: yaml,
        show: [],
      },
    ],
  },
  {
    id: "bad-input/large-numbers",
    title: "numbers beyond the range of their field are refused in JSON, and wrap where no JSON is decoded",
    steps: [
      httpPost(sets, replicaSet(0), { show: [] }),
      ...["2147483648", "-2147483649", "4294967296", "10000000000"].flatMap((number) => [
        httpPost(`${sets}?dryRun=All`, replicaSet(Number(number), "b"), { expect: 400 }),
        mergePatch(`${sets}/a?dryRun=All`, { spec: { replicas: Number(number) } }, { expect: 422 }),
        mergePatch(`${sets}/a/scale?dryRun=All`, { spec: { replicas: Number(number) } }, { expect: 422 }),
      ]),
      ...["-2147483649", "4294967296", "10000000000"].flatMap((number) => [
        strategicPatch(`${sets}/a?dryRun=All`, { spec: { replicas: Number(number) } }, { show: ["spec.replicas"] }),
        applyRequest(`${sets}/b?dryRun=All`, replicaSet(Number(number), "b"), { show: ["spec.replicas"] }),
        applyRequest(`${sets}/a/scale?dryRun=All`, scaleTo(Number(number)), { force: true, show: ["spec"] }),
      ]),
      strategicPatch(`${sets}/a?dryRun=All`, { spec: { replicas: 2_147_483_648 } }, { expect: 422 }),
      applyRequest(`${sets}/b?dryRun=All`, replicaSet(2_147_483_648, "b"), { expect: 422 }),
      applyRequest(`${sets}/a/scale?dryRun=All`, scaleTo(2_147_483_648), { force: true, expect: 422 }),
      httpPost(`${namespacedPath("v1", "services")}?dryRun=All`, portOf(-2_147_483_648), { expect: 422 }),
      httpPost(`${namespacedPath("v1", "services")}?dryRun=All`, portOf(-2_147_483_649), { expect: 400 }),
    ],
  },
  {
    id: "bad-input/timeouts",
    title: "a time-out that is no duration is refused, but for watches and logs",
    steps: [
      ...timeouts.map((text) => httpGet(`${configMapsPath}/none?timeout=${text}`, { expect: 400 })),
      httpGet("/version?timeout=x", { expect: 400 }),
      ...["0s", "-1s", "1h", "1.5s", "%2B.5h", "1h1m1s", "0", ""].map((text) =>
        httpGet(`${configMapsPath}/none?timeout=${text}`, { expect: 404 }),
      ),
      httpGet("/api/v1/namespaces/{ns}/pods/none/log?timeout=x", { expect: 404 }),
      httpGet(`${configMapsPath}?watch=1&timeoutSeconds=1&timeout=x`, { show: [] }),
    ],
  },
  {
    id: "bad-input/paths",
    title: "paths with empty parts, dots, escaped slashes and unknown ends",
    steps: [
      ...notFound.map((path) => httpGet(path, { expect: 404 })),
      ...["..", ".", "%2E%2E", "%25"].map((name) => httpGet(`${configMapsPath}/${name}`, { expect: 400 })),
      httpGet("/api/v1/namespaces%2Fdefault", { show: ["metadata.name"] }),
      httpGet("/api/v1/namespaces/default/", { show: ["metadata.name"] }),
      httpGet(`${configMapsPath}?resourceVersion=99999999999999999999`, { expect: 400 }),
      ...["/version", "/api", "/api/v1", "/apis/apps/v1"].map((path) => httpPost(path, {}, { expect: 405 })),
      ...["/apis", "/apis/apps"].map((path) => httpPost(path, {}, { show: ["kind"] })),
    ],
  },
  {
    id: "bad-input/bodies",
    title: "bodies that are no JSON and no YAML, and media types that are none",
    steps: [
      ...jsons.map((text) => ({ call: `POST ${configMapsPath}`, text, headers: json, expect: 400 })),
      ...yamls.map((text) => ({ call: `POST ${configMapsPath}`, text, headers: yaml, expect: 400 })),
      { call: `POST ${configMapsPath}`, text: "metadata: {name: x}\n---\nnothing: here", headers: yaml, show: ["metadata.name"] },
      { call: `POST ${configMapsPath}`, text: '{"metadata":{"name":"y"},"data":{"a":"\\ud800"}}', headers: json, show: ["data"] },
      ...types.slice(0, 4).map((type) => httpPost(configMapsPath, {}, { headers: { "content-type": type }, expect: 415 })),
      ...types.slice(4).map((type) => httpPost(configMapsPath, {}, { headers: { "content-type": type }, expect: 422 })),
      ...[...yamls, "null", "", '"x"', "true"].map((text) => ({
        call: `PATCH ${configMapsPath}/x?fieldManager=m`,
        text,
        headers: { "content-type": "application/apply-patch+yaml" },
        expect: 400,
      })),
    ],
  },
  {
    id: "bad-input/types",
    title: "a body of another kind or version than its path",
    steps: [
      ...establishSteps(widgetCrdOf({ spec: { type: "object", properties: { color: { type: "string" } } } })),
      httpPost(configMapsPath, { metadata: { name: "c" } }, { show: ["metadata.name"] }),
      ...otherTypes.flatMap(({ apiVersion, kind, expect = 400 }) => [
        httpPost(configMapsPath, { apiVersion, kind, metadata: { name: "z" } }, { expect }),
        httpPost(widgetsPath, { apiVersion, kind, metadata: { name: "z" } }, { expect: 400 }),
        applyRequest(`${configMapsPath}/c`, { apiVersion, kind, metadata: { name: "c" } }, { expect: 400 }),
      ]),
      httpPost(widgetsPath, { apiVersion: "{group}/v1", kind: "Gadget", metadata: { name: "z" } }, { expect: 422 }),
      httpPost(widgetsPath, { apiVersion: "{group}/v1", kind: "Widget", metadata: { name: "w", finalizers: ["plain", "a.b", "orphan"] } }),
      ...[{ kind: "Gadget" }, { apiVersion: "v1" }, { kind: "Gadget", apiVersion: "x/v1" }].map((patch) =>
        mergePatch(`${widgetsPath}/w`, patch, { expect: 422 }),
      ),
      mergePatch(`${widgetsPath}/w`, { apiVersion: null }, { expect: 500 }),
      ...[{ kind: 5 }, { kind: {} }, { apiVersion: 5 }].map((patch) => strategicPatch(`${configMapsPath}/c`, patch, { expect: 422 })),
      ...["x", "-1", "99999999999999999999"].flatMap((resourceVersion) => [
        mergePatch(`${configMapsPath}/c`, { metadata: { resourceVersion } }, { expect: 500 }),
        applyRequest(`${configMapsPath}/new`, configMap("new", { metadata: { name: "new", resourceVersion } }), { expect: 500 }),
      ]),
      mergePatch(`${widgetsPath}/w`, { metadata: { resourceVersion: "0" } }, { expect: 422 }),
      mergePatch(`${widgetsPath}/w`, { metadata: { finalizers: null } }, { show: ["metadata.finalizers"] }),
      httpGet(`${configMapsPath}?labelSelector=%3D`, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v9" }, expect: 400 }),
      httpPost(
        namespacedPath("coordination.k8s.io/v1", "leases"),
        { metadata: { name: "l", finalizers: ["plain"] } },
        { show: ["metadata.finalizers"] },
      ),
      mergePatch(
        `${namespacedPath("coordination.k8s.io/v1", "leases")}/l`,
        { metadata: { finalizers: null } },
        { show: ["metadata.finalizers"] },
      ),
      httpPost(namespacedPath("v1", "services"), { metadata: { name: "h" }, spec: { clusterIP: "None" } }, { show: ["spec"] }),
      mergePatch(`${namespacedPath("v1", "services")}/h`, { spec: { selector: { a: "b" } } }, { expect: 422 }),
      httpDelete(configMapsPath + "?labelSelector=nobody", undefined, { show: ["kind"] }),
    ],
  },
  {
    id: "bad-input/scale-patches",
    title: "a patch of a scale that does not apply is refused",
    steps: [
      httpPost(
        deployments,
        { metadata: { name: "d" }, spec: { replicas: 0, selector: { matchLabels: { a: "b" } }, template } },
        { show: [] },
      ),
      ...[
        [{ op: "add", path: "" }],
        [{ op: "remove", path: "/spec/nothing" }],
        [{ op: "test", path: "/spec/replicas", value: 9 }],
        [{ op: "odd", path: "/spec" }],
      ].map((operations) => jsonPatch(`${deployments}/d/scale`, operations, { expect: 422 })),
    ],
  },
];
