import { applyRequest, httpPost, httpPut, mergePatch, namespacedPath, strategicPatch, type ConformanceCase } from "../conformance-case.ts";
import { establishSteps, widget, widgetCrdOf, widgetPath, widgetsPath } from "./widget.ts";

const secrets = namespacedPath("v1", "secrets");
const leases = namespacedPath("coordination.k8s.io/v1", "leases");
const deployments = namespacedPath("apps/v1", "deployments");
const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
const parts = {
  type: "array",
  items: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["name"],
};
const widgetCrd = widgetCrdOf(
  { properties: { replicas: { type: "integer" }, size: { type: "integer" }, parts } },
  { version: { subresources: { status: {}, scale } } },
);
const twice = [{ name: "a" }, { name: "a" }];

/** Bodies with several faults, of which the server tells the first one that it finds. */
export const firstErrorCases: readonly ConformanceCase[] = [
  {
    id: "first-error/patches",
    title: "what a merge patch makes is read in the order of its keys, and what a strategic one makes in that of the Go structs",
    steps: [
      httpPost(secrets, { metadata: { name: "a" } }, { show: [] }),
      mergePatch(`${secrets}/a`, { data: { a: "no base64" }, metadata: { labels: { app: 1 } } }, { expect: 422 }),
      mergePatch(`${secrets}/a`, { type: 1, metadata: { labels: { app: 1 } }, immutable: "x" }, { expect: 422 }),
      httpPost(leases, { metadata: { name: "a" }, spec: { renewTime: "2026-01-01T00:00:00.000000Z" } }, { show: [] }),
      strategicPatch(`${leases}/a`, { spec: { leaseDurationSeconds: "3", renewTime: "2026-01-01T00:00:00Z" } }, { expect: 422 }),
      strategicPatch(`${leases}/a`, { spec: { renewTime: "2026-01-01T00:00:00Z", holderIdentity: 5 } }, { expect: 422 }),
    ],
  },
  {
    id: "first-error/missing-kind",
    title: "a custom resource without a kind is refused in other words when unknown fields are ignored",
    steps: [
      ...establishSteps(widgetCrd),
      ...["Ignore", "Warn"].flatMap((validation) =>
        [{}, { metadata: { name: "a" } }, { apiVersion: "{group}/v1" }, { apiVersion: "a/b", kind: "" }].map((body) =>
          httpPost(`${widgetsPath}?fieldValidation=${validation}`, body, { expect: 400 }),
        ),
      ),
    ],
  },
  {
    id: "first-error/other-kind",
    title: "of a custom resource of another kind the metadata and the lists are judged, but not the schema",
    steps: [
      ...establishSteps(widgetCrd),
      httpPost(widgetsPath, { ...widget({}, { labels: { app: 1 } }), kind: "Other" }, { expect: 400 }),
      httpPost(widgetsPath, { ...widget({ size: "x", parts: twice }), kind: "Other" }, { expect: 422 }),
      httpPost(widgetsPath, widget({}), { show: [] }),
      httpPut(widgetPath, { ...widget({ parts: twice }), kind: "Other" }, { expect: 422 }),
      mergePatch(widgetPath, { kind: "Other", spec: { parts: twice } }, { expect: 422 }),
    ],
  },
  {
    id: "first-error/nulls",
    title: "nulls in the metadata of a custom resource are what Go makes of them",
    steps: [
      ...establishSteps(widgetCrd),
      httpPost(widgetsPath, widget({}, { labels: { l: null }, annotations: { note: null } }), {
        show: ["metadata.labels", "metadata.annotations"],
      }),
      httpPost(widgetsPath, widget({}, { name: "b", finalizers: [null] }), { expect: 422 }),
      httpPost(widgetsPath, widget({}, { name: "b", ownerReferences: [null] }), { expect: 422 }),
      httpPost(widgetsPath, widget({}, { name: "b", managedFields: [null] }), { show: [] }),
      mergePatch(widgetPath, { metadata: { finalizers: [null] } }, { expect: 422 }),
      httpPost(`${widgetsPath}?dryRun=All`, { ...widget({ odd: 1 }, { bogus: true }), kind: "Other" }, { expect: 422 }),
      httpPost(`${widgetsPath}?fieldValidation=Strict`, { ...widget({ odd: 1 }, { bogus: true }), kind: "Other" }, { expect: 400 }),
      mergePatch(`${widgetPath}/status`, { spec: { size: "x" } }, { show: ["metadata.managedFields", "spec", "status"] }),
    ],
  },
  {
    id: "first-error/applied-nulls",
    title: "an apply with nulls in the metadata of what is there",
    steps: [
      httpPost(secrets, { metadata: { name: "a", finalizers: ["example.com/kept"] } }, { show: [] }),
      applyRequest(
        `${secrets}/a`,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "a", finalizers: null, labels: null, annotations: null } },
        { show: ["metadata.finalizers", "metadata.labels"] },
      ),
      mergePatch(`${secrets}/a`, { metadata: { finalizers: null } }, { show: ["metadata.finalizers"] }),
      applyRequest(
        `${secrets}/a`,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "a", finalizers: null } },
        { show: ["metadata.finalizers"] },
      ),
      ...establishSteps(widgetCrd),
      httpPost(widgetsPath, widget({}), { show: [] }),
      applyRequest(widgetPath, widget({}, { finalizers: null, labels: null, annotations: null }), {
        show: ["metadata.finalizers", "metadata.labels"],
      }),
    ],
  },
  {
    id: "first-error/uid",
    title: "another uid is told after what is wrong with labels and annotations",
    steps: [
      httpPost(secrets, { metadata: { name: "a" } }, { show: [] }),
      mergePatch(`${secrets}/a`, { metadata: { uid: "other", annotations: { "bad key": "x" }, labels: { a: "-" } } }, { expect: 422 }),
      mergePatch(`${secrets}/a`, { metadata: { uid: "other" }, type: "x" }, { expect: 422 }),
      mergePatch(`${secrets}/a`, { metadata: { finalizers: ["bad key"] } }, { expect: 422 }),
      mergePatch(`${secrets}/a`, { metadata: { finalizers: ["orphan", "foregroundDeletion"] } }, { expect: 422 }),
    ],
  },
  {
    id: "first-error/scales",
    title: "the name in a scale is judged before what it scales is looked for",
    steps: [
      ...establishSteps(widgetCrd),
      ...[`${widgetsPath}/none/scale`, `${deployments}/none/scale`].flatMap((path) => [
        httpPut(path, {}, { expect: 400 }),
        httpPut(path, { metadata: { name: "other" } }, { expect: 400 }),
        httpPut(path, { metadata: { name: "none" } }, { expect: 404 }),
      ]),
      httpPost(widgetsPath, widget({ replicas: 1 }), { show: [] }),
      mergePatch(`${widgetPath}/scale`, { zone: 1, spec: { size: 1, parts: [], color: "" }, also: 2 }, { show: ["spec"] }),
    ],
  },
];
