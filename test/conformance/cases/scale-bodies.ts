import type { Json } from "../../../src/core/object/index.ts";
import {
  applyRequest,
  configMap,
  configMapsPath,
  httpDelete,
  httpGet,
  httpPost,
  httpPut,
  jsonPatch,
  mergePatch,
  namespacedPath,
  strategicPatch,
  type ConformanceCase,
  type RequestStep,
} from "../conformance-case.ts";
import { establishSteps, widget, widgetCrdOf, widgetPath, widgetsPath } from "./widget.ts";

type JsonFields = { readonly [field: string]: Json };

const sets = namespacedPath("apps/v1", "replicasets");
const scaleOf = (name: string, more: JsonFields = {}) => ({ apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name }, ...more });
const replicaSet = {
  metadata: { name: "a" },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
};
const spec = { show: ["spec", "kind"] };
const scaled = {
  version: {
    subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
  },
};
const widgetCrd = widgetCrdOf({ properties: { replicas: { type: "integer" }, size: { type: "integer" } } }, scaled);

/** Bodies of another kind, in every form that a scale can be written in. */
const others: readonly JsonFields[] = [
  { kind: "Other" },
  { apiVersion: "v9" },
  { apiVersion: "apps/v1", kind: "ReplicaSet" },
  { apiVersion: 5 },
  { kind: {} },
  { apiVersion: "a/b/c" },
];

const refused = (path: string, isBuiltIn: boolean): readonly RequestStep[] =>
  others.flatMap((body) => [
    mergePatch(path, body, { expect: 422 }),
    jsonPatch(
      path,
      Object.entries(body).map(([field, value]) => ({ op: "add", path: `/${field}`, value })),
      { expect: 422 },
    ),
    // A strategic patch goes by the type of the resource, whatever it says, but for what is no text.
    ...(isBuiltIn ? [strategicPatch(path, body, typeof Object.values(body)[0] === "string" ? spec : { expect: 422 })] : []),
    applyRequest(path, body, { expect: 400 }),
    applyRequest(path, scaleOf("a", body), { expect: 400 }),
    httpPut(path, scaleOf("a", body), { expect: 400 }),
  ]);

const uid = { metadata: { uid: "other" } };
const bad = { data: { "bad key": "x" } };

/** What is sent to scales, to subresources and to names in paths, and is something else. */
export const scaleBodyCases: readonly ConformanceCase[] = [
  {
    id: "scale/other-kinds",
    title: "a scale is written as a Scale",
    steps: [
      httpPost(sets, replicaSet, { show: [] }),
      ...refused(`${sets}/a/scale?dryRun=All`, true),
      mergePatch(`${sets}/a/scale?dryRun=All`, { unknown: 1, spec: { replicas: 1, x: 1 } }, spec),
      mergePatch(`${sets}/a/scale?dryRun=All`, { metadata: null }, { expect: 400 }),
      mergePatch(`${sets}/a/scale?dryRun=All&fieldValidation=Strict`, { unknown: 1 }, { expect: 422 }),
      httpPut(`${sets}/a/scale?dryRun=All`, {}, { expect: 400 }),
      httpPut(`${sets}/a/scale?dryRun=All`, scaleOf("a", { unknown: 1 }), spec),
    ],
  },
  {
    id: "scale/custom-other-kinds",
    title: "so is that of a custom resource, where no apply changes anything",
    steps: [
      ...establishSteps(widgetCrd),
      httpPost(widgetsPath, widget({ replicas: 1 }), { show: [] }),
      ...refused(`${widgetPath}/scale?dryRun=All`, false),
      mergePatch(`${widgetPath}/scale?dryRun=All`, { unknown: 1, spec: { replicas: 2 } }, spec),
      httpPut(`${widgetPath}/scale?dryRun=All`, scaleOf("a", { unknown: 1 }), spec),
      httpPut(`${widgetPath}/scale?dryRun=All`, scaleOf("a", { spec: { replicas: "1" } }), { expect: 400 }),
      httpPut(`${widgetPath}/scale?dryRun=All`, {}, { expect: 400 }),
      applyRequest(`${widgetPath}/scale?dryRun=All`, scaleOf("a"), { ...spec, force: true }),
      applyRequest(`${widgetPath}/scale?dryRun=All`, scaleOf("a", { spec: { replicas: 1 } }), { ...spec, force: true }),
      applyRequest(`${widgetPath}/scale?dryRun=All`, scaleOf("a", { spec: { replicas: 2 } }), { expect: 409 }),
      applyRequest(`${widgetPath}/scale?dryRun=All`, scaleOf("a", { spec: { replicas: 2 } }), { expect: 500, force: true }),
      applyRequest(`${widgetPath}/scale?dryRun=All`, { ...scaleOf("a"), metadata: { labels: { a: "b" } } }, { expect: 500, force: true }),
    ],
  },
  {
    id: "scale/custom-owners",
    title: "who writes the scale of a custom resource owns its replicas",
    steps: [
      ...establishSteps(widgetCrd),
      httpPost(`${widgetsPath}?fieldManager=creator`, widget({ replicas: 1, size: 1 }), { show: [] }),
      httpPut(`${widgetPath}/scale?fieldManager=scaler`, scaleOf("a", { spec: { replicas: 2 } }), {
        show: ["spec", "metadata.managedFields"],
      }),
      httpGet(widgetPath, { show: ["spec", "metadata.managedFields", "metadata.generation"] }),
      mergePatch(`${widgetPath}/scale?fieldManager=other`, { spec: { replicas: 3 } }, { show: ["spec", "metadata.managedFields"] }),
      httpGet(widgetPath, { show: ["spec", "metadata.managedFields", "metadata.generation"] }),
      applyRequest(widgetPath, widget({ replicas: 3 }), { manager: "applier", show: ["metadata.managedFields"] }),
      mergePatch(`${widgetPath}/scale?fieldManager=other`, { spec: { replicas: 4 } }, { show: ["spec", "metadata.managedFields"] }),
      httpGet(widgetPath, { show: ["spec", "metadata.managedFields"] }),
    ],
  },
  {
    id: "scale/custom-without-replicas",
    title: "a custom resource without replicas has no scale to read, but one to write",
    steps: [
      ...establishSteps(widgetCrd),
      httpPost(widgetsPath, widget({ size: 1 }), { show: [] }),
      httpGet(`${widgetPath}/scale`, { expect: 500 }),
      mergePatch(`${widgetPath}/scale`, {}, { expect: 400 }),
      httpPut(`${widgetPath}/scale?dryRun=All`, scaleOf("a"), spec),
      mergePatch(`${widgetPath}/scale`, { spec: { replicas: 2 } }, spec),
      httpGet(`${widgetPath}/scale`, spec),
    ],
  },
  {
    id: "crud/methods",
    title: "methods that a path does not have",
    steps: [
      ...establishSteps(widgetCrd),
      httpPost(widgetsPath, widget({ replicas: 1 }), { show: [] }),
      ...["status", "scale"].flatMap((part) => [
        httpPost(`${widgetPath}/${part}`, widget({}), { expect: 405 }),
        httpDelete(`${widgetPath}/${part}`, undefined, { expect: 405 }),
        httpPost(`${sets}/a/${part}`, replicaSet, { expect: 405 }),
        httpDelete(`${sets}/a/${part}`, undefined, { expect: 405 }),
      ]),
      httpPut(widgetsPath, {}, { expect: 400 }),
      mergePatch(widgetsPath, {}, { expect: 400 }),
      httpPut(configMapsPath, {}, { expect: 405 }),
      mergePatch(configMapsPath, {}, { expect: 405 }),
      httpPost(`${configMapsPath}/a`, configMap("a"), { expect: 405 }),
      httpPost(`${widgetsPath}/status`, widget({ replicas: 1 }, { name: "b" }), { show: ["metadata.name"] }),
      ...["POST", "PUT", "PATCH", "DELETE"].map((method): RequestStep => ({
        call: `${method} ${namespacedPath("v1", "pods", "a")}/log`,
        body: {},
        headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
        expect: 405,
      })),
    ],
  },
  {
    id: "patch/uid",
    title: "a patch with another uid is invalid, a PUT does not meet its precondition",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }), { show: [] }),
      mergePatch(`${configMapsPath}/a`, uid, { expect: 422 }),
      strategicPatch(`${configMapsPath}/a`, { ...uid, ...bad }, { expect: 422 }),
      jsonPatch(`${configMapsPath}/a`, [{ op: "replace", path: "/metadata/uid", value: "other" }], { expect: 422 }),
      applyRequest(`${configMapsPath}/a`, configMap("a", {}, { uid: "other" }), { expect: 422 }),
      mergePatch(`${configMapsPath}/a`, { metadata: { uid: "other", resourceVersion: "1" } }, { expect: 409 }),
      httpPut(`${configMapsPath}/a`, configMap("a", bad, { uid: "other" }), { expect: 409 }),
    ],
  },
];
