import type { Json } from "../../../src/object/index.ts";
import { apply, get, jsonPatch, mergePatch, post, put, remove, strategicPatch, type Call, type Case, type Step } from "../case.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/{group}/v1/namespaces/{ns}/widgets";
const one = `${widgets}/a`;

type Schema = { readonly [field: string]: Json };

/** A CRD of Widgets with one version, its spec and status as given. */
const definition = (spec: Schema, more: { readonly version?: Schema; readonly spec?: Schema } = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.{group}" },
  spec: {
    group: "{group}",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", ...spec }, status: { type: "object", properties: { phase: { type: "string" } } } } } },
        ...more.version,
      },
    ],
    ...more.spec,
  },
});

const established = (body: Json): Step[] => [
  post(crds, body, { show: ["metadata.name"] }),
  { waitFor: `${crds}/widgets.{group}`, until: { "condition:Established": "True" }, show: ["metadata.name"] },
];
const widget = (spec: Schema, metadata: Schema = {}) => ({ apiVersion: "{group}/v1", kind: "Widget", metadata: { name: "a", ...metadata }, spec });
const size = { properties: { size: { type: "integer" }, name: { type: "string" } } };
const refused = (spec: Schema, expect = 422): Call => post(widgets, widget(spec), { expect });

/** Custom resources, from their definition to its end. */
export const crd: readonly Case[] = [
  {
    id: "crd/definition",
    title: "a definition gets defaults, names and conditions",
    steps: [
      post(crds, definition(size), { show: ["metadata.name", "metadata.generation", "spec"] }),
      { waitFor: `${crds}/widgets.{group}`, until: { "condition:Established": "True" }, show: ["status.acceptedNames", "status.storedVersions", "status.conditions"] },
      get("/apis/{group}"),
      get("/apis/{group}/v1"),
    ],
  },
  {
    id: "crd/refused-definitions",
    title: "a definition that is not sound is refused",
    steps: [
      post(crds, { ...definition(size), metadata: { name: "wrong.{group}" } }, { expect: 422 }),
      post(crds, definition({ properties: { a: {} } }), { expect: 422 }),
      post(crds, definition({ properties: { a: { type: "strange" } } }), { expect: 422 }),
      post(crds, definition({ properties: { a: { type: "string", default: 5 } } }), { expect: 422 }),
      post(crds, definition({ properties: { a: { type: "integer", "x-kubernetes-validations": [{ rule: "self +" }] } } }), { expect: 422 }),
      post(crds, definition(size, { version: { storage: false } }), { expect: 422 }),
    ],
  },
  {
    id: "crd/before-definition",
    title: "a kind that is not defined is not served",
    steps: [get(widgets, { expect: 404 }), post(widgets, widget({}), { expect: 404 })],
  },
  {
    id: "crd/objects",
    title: "custom resources are created, read, changed, listed and deleted",
    steps: [
      ...established(definition(size)),
      post(`${widgets}?fieldManager=one`, widget({ size: 1 })),
      post(widgets, widget({ size: 1 }), { expect: 409 }),
      mergePatch(`${one}?fieldManager=two`, { spec: { size: 2 } }),
      mergePatch(one, { metadata: { labels: { a: "b" } } }, { show: ["metadata.generation", "metadata.labels"] }),
      get(widgets),
      jsonPatch(one, [{ op: "replace", path: "/spec/size", value: 3 }], { show: ["metadata.generation", "spec"] }),
      strategicPatch(one, { spec: { size: 4 } }, { expect: 415 }),
      get(`${widgets}/zz`, { expect: 404 }),
      remove(one),
      get(one, { expect: 404 }),
    ],
  },
  {
    id: "crd/put-needs-version",
    title: "an update of a custom resource needs a version",
    steps: [...established(definition(size)), post(widgets, widget({ size: 1 }), { show: [] }), put(one, widget({ size: 2 }), { expect: 422 })],
  },
  {
    id: "crd/pruning",
    title: "fields that no schema names are dropped, unless they are to be kept",
    steps: [
      ...established(definition({ properties: { size: { type: "integer" }, free: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } })),
      post(widgets, { ...widget({ size: 1, bogus: 2, free: { any: { thing: [1, 2] } } }), top: "x" }, { show: ["spec", "top"] }),
      post(`${widgets}?fieldValidation=Strict`, { ...widget({ bogus: 1 }), top: "x", metadata: { name: "b" } }, { expect: 400 }),
      post(`${widgets}?fieldValidation=Warn`, { ...widget({ bogus: 1 }), metadata: { name: "c" } }, { show: ["spec"] }),
    ],
  },
  {
    id: "crd/defaulting",
    title: "defaults are filled in on writing, and on reading what was written without them",
    steps: [
      ...established(
        definition(size, {
          spec: {
            versions: [
              { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { color: { type: "string" } } } } } } },
              { name: "v2", served: true, storage: false, schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { color: { type: "string", default: "red" } } } } } } },
            ],
          },
        }),
      ),
      post(widgets, widget({}), { show: ["spec"] }),
      get("/apis/{group}/v2/namespaces/{ns}/widgets/a", { show: ["apiVersion", "spec", "metadata.generation"] }),
      get(one, { show: ["spec"] }),
      mergePatch("/apis/{group}/v2/namespaces/{ns}/widgets/a", { metadata: { labels: { a: "b" } } }, { show: ["spec", "metadata.generation"] }),
      get(one, { show: ["spec"] }),
    ],
  },
  {
    id: "crd/defaults-nested",
    title: "defaults reach into objects, lists and null",
    steps: [
      ...established(
        definition({
          default: {},
          properties: {
            size: { type: "integer", default: 3 },
            inner: { type: "object", default: { a: "x" }, properties: { a: { type: "string" }, b: { type: "string", default: "y" } } },
            list: { type: "array", items: { type: "object", properties: { n: { type: "integer", default: 7 } } } },
            maybe: { type: "string", nullable: true, default: "d" },
            never: { type: "string", default: "d" },
          },
        }),
      ),
      post(widgets, { apiVersion: "{group}/v1", kind: "Widget", metadata: { name: "least" } }, { show: ["spec"] }),
      post(widgets, widget({ list: [{}, { n: 1 }], maybe: null, never: null, inner: { b: "z" } }), { show: ["spec"] }),
    ],
  },
  {
    id: "crd/validation",
    title: "values are checked against the schema, every fault with its field",
    steps: [
      ...established(
        definition({
          required: ["size"],
          properties: {
            size: { type: "integer", minimum: 1, maximum: 10 },
            name: { type: "string", pattern: "^[a-z]+$", maxLength: 5, minLength: 2 },
            mode: { type: "string", enum: ["on", "off"] },
            list: { type: "array", maxItems: 2, minItems: 1, items: { type: "string" } },
            set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            map: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { type: "object", required: ["k"], properties: { k: { type: "string" } } } },
            port: { "x-kubernetes-int-or-string": true },
            when: { type: "string", format: "date-time" },
            ratio: { type: "number", multipleOf: 0.5 },
            labels: { type: "object", maxProperties: 1, additionalProperties: { type: "string" } },
          },
        }),
      ),
      refused({}),
      refused({ size: 0 }),
      refused({ size: 11 }),
      refused({ size: "1" }),
      refused({ size: 1.5 }),
      refused({ size: 1, name: "UPPER" }),
      refused({ size: 1, name: "toolong" }),
      refused({ size: 1, name: "x" }),
      refused({ size: 1, mode: "perhaps" }),
      refused({ size: 1, list: ["a", "b", "c"] }),
      refused({ size: 1, list: [] }),
      refused({ size: 1, list: [1] }),
      refused({ size: 1, set: ["a", "a"] }),
      refused({ size: 1, map: [{ k: "a" }, { k: "a" }] }),
      refused({ size: 1, map: [{}] }),
      refused({ size: 1, port: true }),
      refused({ size: 1, when: "yesterday" }),
      refused({ size: 1, ratio: 0.7 }),
      refused({ size: 1, labels: { a: "1", b: "2" } }),
      refused({ size: 1, labels: { a: 1 } }),
      refused({ size: 0, mode: "perhaps", name: "UPPER" }),
      post(widgets, widget({ size: 1, name: "ok", mode: "on", port: "http", ratio: 1.5, map: [{ k: "a" }] }), { show: ["spec"] }),
      mergePatch(one, { spec: { size: 99 } }, { expect: 422 }),
    ],
  },
  {
    id: "crd/rules",
    title: "CEL rules, on creation and on change",
    steps: [
      ...established(
        definition({
          "x-kubernetes-validations": [
            { rule: "self.min <= self.max", message: "min must not be above max" },
            { rule: "!has(self.name) || self.name.startsWith('w-')", messageExpression: "'name ' + self.name + ' must start with w-'", fieldPath: ".name", reason: "FieldValueForbidden" },
          ],
          properties: {
            min: { type: "integer" },
            max: { type: "integer" },
            name: { type: "string" },
            fixed: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "fixed cannot be changed" }] },
            list: { type: "array", maxItems: 5, items: { type: "string", maxLength: 10 }, "x-kubernetes-validations": [{ rule: "self.all(x, x.size() > 1)" }] },
          },
        }),
      ),
      refused({ min: 2, max: 1 }),
      refused({ min: 1, max: 2, name: "x" }),
      refused({ min: 1, max: 2, list: ["ab", "c"] }),
      refused({ max: 1 }),
      post(widgets, widget({ min: 1, max: 2, fixed: "x" }), { show: ["spec"] }),
      mergePatch(one, { spec: { fixed: "y" } }, { expect: 422 }),
      mergePatch(one, { spec: { max: 5 } }, { show: ["spec"] }),
      mergePatch(one, { spec: { fixed: null } }, { show: ["spec"] }),
    ],
  },
  {
    id: "crd/status",
    title: "with a status subresource, status and spec are written apart",
    steps: [
      ...established(definition(size, { version: { subresources: { status: {} } } })),
      post(`${widgets}?fieldManager=one`, { ...widget({ size: 1 }), status: { phase: "Ready" } }),
      mergePatch(`${one}/status?fieldManager=two`, { spec: { size: 9 }, status: { phase: "Ready" } }),
      mergePatch(one, { status: { phase: "Lost" }, spec: { size: 2 } }, { show: ["metadata.generation", "spec", "status"] }),
      get(`${one}/status`, { show: ["spec", "status"] }),
    ],
  },
  {
    id: "crd/no-status",
    title: "without one, the status is a field like any other",
    steps: [
      ...established(definition(size)),
      post(widgets, { ...widget({ size: 1 }), status: { phase: "Ready" } }, { show: ["metadata.generation", "status"] }),
      mergePatch(one, { status: { phase: "Lost" } }, { show: ["metadata.generation", "status"] }),
      get(`${one}/status`, { expect: 404 }),
    ],
  },
  {
    id: "crd/versions",
    title: "one object is served in several versions",
    steps: [
      ...established(
        definition(size, {
          spec: {
            versions: ["v1", "v1beta1", "v1alpha1"].map((name) => ({
              name,
              served: name !== "v1alpha1",
              storage: name === "v1",
              ...(name === "v1beta1" ? { deprecated: true } : {}),
              schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", ...size } } } },
            })),
          },
        }),
      ),
      post(widgets, widget({ size: 1 }), { show: ["apiVersion", "spec"] }),
      get("/apis/{group}/v1beta1/namespaces/{ns}/widgets/a"),
      get("/apis/{group}/v1alpha1/namespaces/{ns}/widgets/a", { expect: 404 }),
      get("/apis/{group}"),
    ],
  },
  {
    id: "crd/cluster-scoped",
    title: "a kind without a namespace",
    steps: [
      ...established(definition(size, { spec: { scope: "Cluster" } })),
      post("/apis/{group}/v1/widgets", widget({ size: 1 })),
      get("/apis/{group}/v1/namespaces/{ns}/widgets", { expect: 404 }),
    ],
  },
  {
    id: "crd/apply",
    title: "custom resources are applied by their schema: keyed lists, sets, atomic maps",
    steps: [
      ...established(
        definition({
          properties: {
            size: { type: "integer" },
            map: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { type: "object", required: ["k"], properties: { k: { type: "string" }, v: { type: "string" } } } },
            set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            plain: { type: "array", items: { type: "string" } },
            whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" }, b: { type: "string" } } },
          },
        }),
      ),
      apply(one, widget({ size: 1, map: [{ k: "a", v: "1" }], set: ["x"], plain: ["p"], whole: { a: "1" } })),
      apply(one, widget({ map: [{ k: "b", v: "2" }], set: ["y"] }), { manager: "two" }),
      apply(one, widget({ whole: { b: "2" }, plain: ["q"] }), { manager: "two", expect: 409 }),
      apply(one, widget({ size: 1, set: ["x"] })),
      apply(`${widgets}/q2`, { ...widget({ size: "big" }), metadata: { name: "q2" } }, { expect: 500 }),
    ],
  },
  {
    id: "crd/deletion",
    title: "a definition takes its objects along",
    steps: [
      ...established(definition(size)),
      post(widgets, widget({ size: 1 }, { finalizers: ["example.com/hold"] }), { show: [] }),
      remove(`${crds}/widgets.{group}`, undefined, { show: ["metadata.finalizers", "metadata.deletionTimestamp", "status"] }),
      { waitFor: one, until: { "metadata.deletionGracePeriodSeconds": 0 }, show: ["metadata.finalizers"] },
      post(widgets, { ...widget({ size: 1 }), metadata: { name: "late" } }, { expect: 403 }),
      mergePatch(one, { metadata: { finalizers: null } }, { show: [] }),
      { waitFor: `${crds}/widgets.{group}`, until: "gone" },
    ],
  },
  {
    id: "crd/watch",
    title: "custom resources are watched like any object",
    steps: [
      ...established(definition(size)),
      get(widgets, { capture: { rv: "metadata.resourceVersion" }, show: [] }),
      { watch: `${widgets}?watch=true&resourceVersion={rv}`, name: "w" },
      post(widgets, widget({ size: 1 }), { show: [] }),
      mergePatch(one, { spec: { size: 2 } }, { show: [] }),
      remove(one, undefined, { show: [] }),
      { events: "w", until: { type: "DELETED" }, show: ["apiVersion", "kind", "metadata.name", "metadata.generation", "spec"] },
    ],
  },
  {
    id: "crd/selectable-fields",
    title: "a definition says which fields can be selected by",
    steps: [
      ...established(definition({ properties: { color: { type: "string" } } }, { version: { selectableFields: [{ jsonPath: ".spec.color" }] } })),
      post(widgets, widget({ color: "red" }), { show: [] }),
      post(widgets, { ...widget({ color: "blue" }), metadata: { name: "b" } }, { show: [] }),
      get(`${widgets}?fieldSelector=spec.color%3Dred`, { show: ["metadata.name"] }),
      get(`${widgets}?fieldSelector=spec.size%3D1`, { expect: 400 }),
    ],
  },
  {
    id: "crd/embedded",
    title: "embedded objects need a kind, and keep their own fields",
    steps: [
      ...established(definition({ properties: { object: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } } })),
      post(widgets, widget({ object: { apiVersion: "v1", kind: "Anything", metadata: { name: "x", bogus: "y" }, free: 1 } }), { show: ["spec"] }),
      post(widgets, { ...widget({ object: { free: 1 } }), metadata: { name: "b" } }, { expect: 422 }),
    ],
  },
];
