import { httpGet, mergePatch, httpPost, type ConformanceCase } from "../conformance-case.ts";
import { widgetCrdOf, establishSteps, widgetPath, refusedWidget, sizeSchema, widget, widgetsPath } from "./widget.ts";

/** Validation, pruning and defaulting by the schema of a CRD. */
export const schemaCases: readonly ConformanceCase[] = [
  {
    id: "crd/pruning",
    title: "fields that no schema names are dropped, unless they are to be kept",
    steps: [
      ...establishSteps(
        widgetCrdOf({ properties: { size: { type: "integer" }, free: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }),
      ),
      httpPost(widgetsPath, { ...widget({ size: 1, bogus: 2, free: { any: { thing: [1, 2] } } }), top: "x" }, { show: ["spec", "top"] }),
      httpPost(`${widgetsPath}?fieldValidation=Strict`, { ...widget({ bogus: 1 }), top: "x", metadata: { name: "b" } }, { expect: 400 }),
      httpPost(`${widgetsPath}?fieldValidation=Warn`, { ...widget({ bogus: 1 }), metadata: { name: "c" } }, { show: ["spec"] }),
    ],
  },
  {
    id: "crd/defaulting",
    title: "defaults are filled in on writing, and on reading what was written without them",
    steps: [
      ...establishSteps(
        widgetCrdOf(sizeSchema, {
          spec: {
            versions: [
              {
                name: "v1",
                served: true,
                storage: true,
                schema: {
                  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { color: { type: "string" } } } } },
                },
              },
              {
                name: "v2",
                served: true,
                storage: false,
                schema: {
                  openAPIV3Schema: {
                    type: "object",
                    properties: { spec: { type: "object", properties: { color: { type: "string", default: "red" } } } },
                  },
                },
              },
            ],
          },
        }),
      ),
      httpPost(widgetsPath, widget({}), { show: ["spec"] }),
      httpGet("/apis/{group}/v2/namespaces/{ns}/widgets/a", { show: ["apiVersion", "spec", "metadata.generation"] }),
      httpGet(widgetPath, { show: ["spec"] }),
      mergePatch(
        "/apis/{group}/v2/namespaces/{ns}/widgets/a",
        { metadata: { labels: { a: "b" } } },
        { show: ["spec", "metadata.generation"] },
      ),
      httpGet(widgetPath, { show: ["spec"] }),
    ],
  },
  {
    id: "crd/defaults-nested",
    title: "defaults reach into objects, lists and null",
    steps: [
      ...establishSteps(
        widgetCrdOf({
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
      httpPost(widgetsPath, { apiVersion: "{group}/v1", kind: "Widget", metadata: { name: "least" } }, { show: ["spec"] }),
      httpPost(widgetsPath, widget({ list: [{}, { n: 1 }], maybe: null, never: null, inner: { b: "z" } }), { show: ["spec"] }),
    ],
  },
  {
    id: "crd/validation",
    title: "values are checked against the schema, every fault with its field",
    steps: [
      ...establishSteps(
        widgetCrdOf({
          required: ["size"],
          properties: {
            size: { type: "integer", minimum: 1, maximum: 10 },
            name: { type: "string", pattern: "^[a-z]+$", maxLength: 5, minLength: 2 },
            mode: { type: "string", enum: ["on", "off"] },
            list: { type: "array", maxItems: 2, minItems: 1, items: { type: "string" } },
            set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            map: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["k"],
              items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
            },
            port: { "x-kubernetes-int-or-string": true },
            when: { type: "string", format: "date-time" },
            ratio: { type: "number", multipleOf: 0.5 },
            labels: { type: "object", maxProperties: 1, additionalProperties: { type: "string" } },
          },
        }),
      ),
      refusedWidget({}),
      refusedWidget({ size: 0 }),
      refusedWidget({ size: 11 }),
      refusedWidget({ size: "1" }),
      refusedWidget({ size: 1.5 }),
      refusedWidget({ size: 1, name: "UPPER" }),
      refusedWidget({ size: 1, name: "toolong" }),
      refusedWidget({ size: 1, name: "x" }),
      refusedWidget({ size: 1, mode: "perhaps" }),
      refusedWidget({ size: 1, list: ["a", "b", "c"] }),
      refusedWidget({ size: 1, list: [] }),
      refusedWidget({ size: 1, list: [1] }),
      refusedWidget({ size: 1, set: ["a", "a"] }),
      refusedWidget({ size: 1, map: [{ k: "a" }, { k: "a" }] }),
      refusedWidget({ size: 1, map: [{}] }),
      refusedWidget({ size: 1, port: true }),
      refusedWidget({ size: 1, when: "yesterday" }),
      refusedWidget({ size: 1, ratio: 0.7 }),
      refusedWidget({ size: 1, labels: { a: "1", b: "2" } }),
      refusedWidget({ size: 1, labels: { a: 1 } }),
      refusedWidget({ size: 0, mode: "perhaps", name: "UPPER" }),
      httpPost(widgetsPath, widget({ size: 1, name: "ok", mode: "on", port: "http", ratio: 1.5, map: [{ k: "a" }] }), { show: ["spec"] }),
      mergePatch(widgetPath, { spec: { size: 99 } }, { expect: 422 }),
    ],
  },
  {
    id: "crd/rules",
    title: "CEL rules, on creation and on change",
    steps: [
      ...establishSteps(
        widgetCrdOf({
          "x-kubernetes-validations": [
            { rule: "self.min <= self.max", message: "min must not be above max" },
            {
              rule: "!has(self.name) || self.name.startsWith('w-')",
              messageExpression: "'name ' + self.name + ' must start with w-'",
              fieldPath: ".name",
              reason: "FieldValueForbidden",
            },
          ],
          properties: {
            min: { type: "integer" },
            max: { type: "integer" },
            name: { type: "string" },
            fixed: { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "fixed cannot be changed" }] },
            list: {
              type: "array",
              maxItems: 5,
              items: { type: "string", maxLength: 10 },
              "x-kubernetes-validations": [{ rule: "self.all(x, x.size() > 1)" }],
            },
          },
        }),
      ),
      refusedWidget({ min: 2, max: 1 }),
      refusedWidget({ min: 1, max: 2, name: "x" }),
      refusedWidget({ min: 1, max: 2, list: ["ab", "c"] }),
      refusedWidget({ max: 1 }),
      httpPost(widgetsPath, widget({ min: 1, max: 2, fixed: "x" }), { show: ["spec"] }),
      mergePatch(widgetPath, { spec: { fixed: "y" } }, { expect: 422 }),
      mergePatch(widgetPath, { spec: { max: 5 } }, { show: ["spec"] }),
      mergePatch(widgetPath, { spec: { fixed: null } }, { show: ["spec"] }),
    ],
  },
  {
    id: "crd/selectable-fields",
    title: "a CRD declares which fields can be selected by",
    steps: [
      ...establishSteps(
        widgetCrdOf({ properties: { color: { type: "string" } } }, { version: { selectableFields: [{ jsonPath: ".spec.color" }] } }),
      ),
      httpPost(widgetsPath, widget({ color: "red" }), { show: [] }),
      httpPost(widgetsPath, { ...widget({ color: "blue" }), metadata: { name: "b" } }, { show: [] }),
      httpGet(`${widgetsPath}?fieldSelector=spec.color%3Dred`, { show: ["metadata.name"] }),
      httpGet(`${widgetsPath}?fieldSelector=spec.size%3D1`, { expect: 400 }),
    ],
  },
  {
    id: "crd/embedded",
    title: "embedded objects need a kind, and keep their own fields",
    steps: [
      ...establishSteps(
        widgetCrdOf({
          properties: { object: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } },
        }),
      ),
      httpPost(widgetsPath, widget({ object: { apiVersion: "v1", kind: "Anything", metadata: { name: "x", bogus: "y" }, free: 1 } }), {
        show: ["spec"],
      }),
      httpPost(widgetsPath, { ...widget({ object: { free: 1 } }), metadata: { name: "b" } }, { expect: 422 }),
    ],
  },
];
