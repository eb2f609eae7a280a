import { get, mergePatch, post, type Case } from "../case.ts";
import { definition, established, oneWidget, refused, size, widget, widgets } from "./widget.ts";

/** What the schema of a custom resource does to its objects. */
export const schema: readonly Case[] = [
  {
    id: "crd/pruning",
    title: "fields that no schema names are dropped, unless they are to be kept",
    steps: [
      ...established(
        definition({ properties: { size: { type: "integer" }, free: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }),
      ),
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
      post(widgets, widget({}), { show: ["spec"] }),
      get("/apis/{group}/v2/namespaces/{ns}/widgets/a", { show: ["apiVersion", "spec", "metadata.generation"] }),
      get(oneWidget, { show: ["spec"] }),
      mergePatch(
        "/apis/{group}/v2/namespaces/{ns}/widgets/a",
        { metadata: { labels: { a: "b" } } },
        { show: ["spec", "metadata.generation"] },
      ),
      get(oneWidget, { show: ["spec"] }),
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
      mergePatch(oneWidget, { spec: { size: 99 } }, { expect: 422 }),
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
      refused({ min: 2, max: 1 }),
      refused({ min: 1, max: 2, name: "x" }),
      refused({ min: 1, max: 2, list: ["ab", "c"] }),
      refused({ max: 1 }),
      post(widgets, widget({ min: 1, max: 2, fixed: "x" }), { show: ["spec"] }),
      mergePatch(oneWidget, { spec: { fixed: "y" } }, { expect: 422 }),
      mergePatch(oneWidget, { spec: { max: 5 } }, { show: ["spec"] }),
      mergePatch(oneWidget, { spec: { fixed: null } }, { show: ["spec"] }),
    ],
  },
  {
    id: "crd/selectable-fields",
    title: "a definition says which fields can be selected by",
    steps: [
      ...established(
        definition({ properties: { color: { type: "string" } } }, { version: { selectableFields: [{ jsonPath: ".spec.color" }] } }),
      ),
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
      ...established(
        definition({
          properties: { object: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } },
        }),
      ),
      post(widgets, widget({ object: { apiVersion: "v1", kind: "Anything", metadata: { name: "x", bogus: "y" }, free: 1 } }), {
        show: ["spec"],
      }),
      post(widgets, { ...widget({ object: { free: 1 } }), metadata: { name: "b" } }, { expect: 422 }),
    ],
  },
];
