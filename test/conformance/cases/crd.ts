import {
  applyRequest,
  httpGet,
  jsonPatch,
  mergePatch,
  httpPost,
  httpPut,
  httpDelete,
  strategicPatch,
  type ConformanceCase,
} from "../conformance-case.ts";
import { crdsPath, widgetCrdOf, establishSteps, widgetPath, sizeSchema, widget, widgetsPath } from "./widget.ts";

const defaulted = (value: number, rule: { readonly rule: string; readonly optionalOldSelf?: boolean }) => ({
  properties: { a: { type: "integer", default: value, "x-kubernetes-validations": [rule] } },
});

/** Custom resources, from the creation of their CRD to its deletion. */
export const crdCases: readonly ConformanceCase[] = [
  {
    id: "crd/other-kinds",
    title: "bodies of another kind, metadata of wrong types, and the age of a kind without columns",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpPost(widgetsPath, { ...widget({ size: 1, unknown: 1 }), kind: "Other" }, { expect: 422 }),
      httpPost(`${widgetsPath}?fieldValidation=Strict`, { ...widget({ unknown: 1 }), kind: "Other" }, { expect: 422 }),
      httpPut(widgetPath, { ...widget({ unknown: 1 }), kind: "Other" }, { expect: 404 }),
      httpPost(widgetsPath, widget({}, { labels: "x", annotations: { a: 7 } }), { expect: 400 }),
      httpPost(widgetsPath, widget({}, { labels: { b: 1, a: {} }, name: 5 }), { expect: 400 }),
      httpGet(widgetsPath, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" }, show: ["columnDefinitions"] }),
    ],
  },
  {
    id: "crd/definition",
    title: "a CRD gets defaults, names and conditions",
    steps: [
      httpPost(crdsPath, widgetCrdOf(sizeSchema), { show: ["metadata.name", "metadata.generation", "spec"] }),
      {
        waitFor: `${crdsPath}/widgets.{group}`,
        until: { "condition:Established": "True" },
        show: ["status.acceptedNames", "status.storedVersions", "status.conditions"],
      },
      httpGet("/apis/{group}"),
      httpGet("/apis/{group}/v1"),
    ],
  },
  {
    id: "crd/refused-definitions",
    title: "an invalid CRD is refused",
    steps: [
      httpPost(crdsPath, { ...widgetCrdOf(sizeSchema), metadata: { name: "wrong.{group}" } }, { expect: 422 }),
      httpPost(crdsPath, widgetCrdOf({ properties: { a: {} } }), { expect: 422 }),
      httpPost(crdsPath, widgetCrdOf({ properties: { a: { type: "strange" } } }), { expect: 422 }),
      httpPost(crdsPath, widgetCrdOf({ properties: { a: { type: "string", default: 5 } } }), { expect: 422 }),
      httpPost(crdsPath, widgetCrdOf({ properties: { a: { type: "integer", "x-kubernetes-validations": [{ rule: "self +" }] } } }), {
        expect: 422,
      }),
      httpPost(crdsPath, widgetCrdOf(sizeSchema, { version: { storage: false } }), { expect: 422 }),
    ],
  },
  {
    id: "crd/default-rules",
    title: "a default must satisfy the rules of its schema, with an old value and without one",
    steps: [
      httpPost(crdsPath, widgetCrdOf(defaulted(1, { rule: "self > 5" })), { expect: 422 }),
      httpPost(crdsPath, widgetCrdOf(defaulted(1, { rule: "oldSelf.hasValue() || self > 5", optionalOldSelf: true })), { expect: 422 }),
      httpPost(crdsPath, widgetCrdOf(defaulted(1, { rule: "!oldSelf.hasValue() || self > 5", optionalOldSelf: true })), { expect: 422 }),
      httpPost(crdsPath, widgetCrdOf(defaulted(1, { rule: "self > 5 || oldSelf == self" })), { show: ["metadata.name"] }),
    ],
  },
  {
    id: "crd/before-definition",
    title: "a kind that is not defined is not served",
    steps: [httpGet(widgetsPath, { expect: 404 }), httpPost(widgetsPath, widget({}), { expect: 404 })],
  },
  {
    id: "crd/objects",
    title: "custom resources are created, read, changed, listed and deleted",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpPost(`${widgetsPath}?fieldManager=one`, widget({ size: 1 })),
      httpPost(widgetsPath, widget({ size: 1 }), { expect: 409 }),
      mergePatch(`${widgetPath}?fieldManager=two`, { spec: { size: 2 } }),
      mergePatch(widgetPath, { metadata: { labels: { a: "b" } } }, { show: ["metadata.generation", "metadata.labels"] }),
      httpGet(widgetsPath),
      jsonPatch(widgetPath, [{ op: "replace", path: "/spec/size", value: 3 }], { show: ["metadata.generation", "spec"] }),
      strategicPatch(widgetPath, { spec: { size: 4 } }, { expect: 415 }),
      httpGet(`${widgetsPath}/zz`, { expect: 404 }),
      httpDelete(widgetPath),
      httpGet(widgetPath, { expect: 404 }),
    ],
  },
  {
    id: "crd/put-needs-version",
    title: "an update of a custom resource needs a version",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpPost(widgetsPath, widget({ size: 1 }), { show: [] }),
      httpPut(widgetPath, widget({ size: 2 }), { expect: 422 }),
    ],
  },
  {
    id: "crd/status",
    title: "with a status subresource, status and spec are written apart",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema, { version: { subresources: { status: {} } } })),
      httpPost(`${widgetsPath}?fieldManager=one`, { ...widget({ size: 1 }), status: { phase: "Ready" } }),
      mergePatch(`${widgetPath}/status?fieldManager=two`, { spec: { size: 9 }, status: { phase: "Ready" } }),
      mergePatch(widgetPath, { status: { phase: "Lost" }, spec: { size: 2 } }, { show: ["metadata.generation", "spec", "status"] }),
      httpGet(`${widgetPath}/status`, { show: ["spec", "status"] }),
    ],
  },
  {
    id: "crd/no-status",
    title: "without one, the status is a field like any other",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpPost(widgetsPath, { ...widget({ size: 1 }), status: { phase: "Ready" } }, { show: ["metadata.generation", "status"] }),
      mergePatch(widgetPath, { status: { phase: "Lost" } }, { show: ["metadata.generation", "status"] }),
      httpGet(`${widgetPath}/status`, { expect: 404 }),
    ],
  },
  {
    id: "crd/versions",
    title: "one object is served in several versions",
    steps: [
      ...establishSteps(
        widgetCrdOf(sizeSchema, {
          spec: {
            versions: ["v1", "v1beta1", "v1alpha1"].map((name) => ({
              name,
              served: name !== "v1alpha1",
              storage: name === "v1",
              ...(name === "v1beta1" ? { deprecated: true } : {}),
              schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", ...sizeSchema } } } },
            })),
          },
        }),
      ),
      httpPost(widgetsPath, widget({ size: 1 }), { show: ["apiVersion", "spec"] }),
      httpGet("/apis/{group}/v1beta1/namespaces/{ns}/widgets/a"),
      httpGet("/apis/{group}/v1alpha1/namespaces/{ns}/widgets/a", { expect: 404 }),
      httpGet("/apis/{group}"),
    ],
  },
  {
    id: "crd/cluster-scoped",
    title: "a kind without a namespace",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema, { spec: { scope: "Cluster" } })),
      httpPost("/apis/{group}/v1/widgets", widget({ size: 1 })),
      httpGet("/apis/{group}/v1/namespaces/{ns}/widgets", { expect: 404 }),
    ],
  },
  {
    id: "crd/apply",
    title: "custom resources are applied by their schema: keyed lists, sets, atomic maps",
    steps: [
      ...establishSteps(
        widgetCrdOf({
          properties: {
            size: { type: "integer" },
            map: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["k"],
              items: { type: "object", required: ["k"], properties: { k: { type: "string" }, v: { type: "string" } } },
            },
            set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            plain: { type: "array", items: { type: "string" } },
            whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" }, b: { type: "string" } } },
          },
        }),
      ),
      applyRequest(widgetPath, widget({ size: 1, map: [{ k: "a", v: "1" }], set: ["x"], plain: ["p"], whole: { a: "1" } })),
      applyRequest(widgetPath, widget({ map: [{ k: "b", v: "2" }], set: ["y"] }), { manager: "two" }),
      applyRequest(widgetPath, widget({ whole: { b: "2" }, plain: ["q"] }), { manager: "two", expect: 409 }),
      applyRequest(widgetPath, widget({ size: 1, set: ["x"] })),
      applyRequest(`${widgetsPath}/q2`, { ...widget({ size: "big" }), metadata: { name: "q2" } }, { expect: 500 }),
    ],
  },
  {
    id: "crd/deletion",
    title: "deleting a CRD deletes its objects",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpPost(widgetsPath, widget({ size: 1 }, { finalizers: ["example.com/hold"] }), { show: [] }),
      httpDelete(`${crdsPath}/widgets.{group}`, undefined, { show: ["metadata.finalizers", "metadata.deletionTimestamp", "status"] }),
      { waitFor: widgetPath, until: { "metadata.deletionGracePeriodSeconds": 0 }, show: ["metadata.finalizers"] },
      httpPost(widgetsPath, { ...widget({ size: 1 }), metadata: { name: "late" } }, { expect: 403 }),
      mergePatch(widgetPath, { metadata: { finalizers: null } }, { show: [] }),
      { waitFor: `${crdsPath}/widgets.{group}`, until: "gone" },
    ],
  },
  {
    id: "crd/watch",
    title: "custom resources are watched like any object",
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      httpGet(widgetsPath, { capture: { rv: "metadata.resourceVersion" }, show: [] }),
      { watch: `${widgetsPath}?watch=true&resourceVersion={rv}`, name: "w" },
      httpPost(widgetsPath, widget({ size: 1 }), { show: [] }),
      mergePatch(widgetPath, { spec: { size: 2 } }, { show: [] }),
      httpDelete(widgetPath, undefined, { show: [] }),
      { events: "w", until: { type: "DELETED" }, show: ["apiVersion", "kind", "metadata.name", "metadata.generation", "spec"] },
    ],
  },
  {
    id: "crd/apply-without-labels",
    title: "an apply that takes away all labels, annotations and entries of a map",
    steps: [
      ...establishSteps(
        widgetCrdOf({ properties: { ...sizeSchema.properties, colours: { type: "object", additionalProperties: { type: "string" } } } }),
      ),
      applyRequest(widgetPath, widget({ size: 1, colours: { a: "red" } }, { labels: { a: "b" }, annotations: { c: "d" } })),
      applyRequest(widgetPath, widget({ size: 1 })),
      httpGet(widgetPath),
      applyRequest(widgetPath, widget({ size: 1 }, { finalizers: ["example.com/wait"] })),
      applyRequest(widgetPath, widget({ size: 1 }, { labels: {} })),
      applyRequest(widgetPath, widget({ size: 1 })),
      httpGet(widgetPath),
      httpPut(widgetPath, widget({ size: 1 }, { uid: "00000000-0000-4000-8000-000000000000", resourceVersion: "1" }), { expect: 409 }),
      httpDelete(widgetPath),
      httpPost(widgetsPath, widget({ size: 1 }, { labels: {}, annotations: null, finalizers: [], ownerReferences: [], generateName: "" })),
    ],
  },
];
