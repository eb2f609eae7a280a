import { apply, get, jsonPatch, mergePatch, post, put, remove, strategicPatch, type Case } from "../case.ts";
import { crds, definition, established, oneWidget, size, widget, widgets } from "./widget.ts";

/** Custom resources, from their definition to its end. */
export const crd: readonly Case[] = [
  {
    id: "crd/definition",
    title: "a definition gets defaults, names and conditions",
    steps: [
      post(crds, definition(size), { show: ["metadata.name", "metadata.generation", "spec"] }),
      {
        waitFor: `${crds}/widgets.{group}`,
        until: { "condition:Established": "True" },
        show: ["status.acceptedNames", "status.storedVersions", "status.conditions"],
      },
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
      mergePatch(`${oneWidget}?fieldManager=two`, { spec: { size: 2 } }),
      mergePatch(oneWidget, { metadata: { labels: { a: "b" } } }, { show: ["metadata.generation", "metadata.labels"] }),
      get(widgets),
      jsonPatch(oneWidget, [{ op: "replace", path: "/spec/size", value: 3 }], { show: ["metadata.generation", "spec"] }),
      strategicPatch(oneWidget, { spec: { size: 4 } }, { expect: 415 }),
      get(`${widgets}/zz`, { expect: 404 }),
      remove(oneWidget),
      get(oneWidget, { expect: 404 }),
    ],
  },
  {
    id: "crd/put-needs-version",
    title: "an update of a custom resource needs a version",
    steps: [
      ...established(definition(size)),
      post(widgets, widget({ size: 1 }), { show: [] }),
      put(oneWidget, widget({ size: 2 }), { expect: 422 }),
    ],
  },
  {
    id: "crd/status",
    title: "with a status subresource, status and spec are written apart",
    steps: [
      ...established(definition(size, { version: { subresources: { status: {} } } })),
      post(`${widgets}?fieldManager=one`, { ...widget({ size: 1 }), status: { phase: "Ready" } }),
      mergePatch(`${oneWidget}/status?fieldManager=two`, { spec: { size: 9 }, status: { phase: "Ready" } }),
      mergePatch(oneWidget, { status: { phase: "Lost" }, spec: { size: 2 } }, { show: ["metadata.generation", "spec", "status"] }),
      get(`${oneWidget}/status`, { show: ["spec", "status"] }),
    ],
  },
  {
    id: "crd/no-status",
    title: "without one, the status is a field like any other",
    steps: [
      ...established(definition(size)),
      post(widgets, { ...widget({ size: 1 }), status: { phase: "Ready" } }, { show: ["metadata.generation", "status"] }),
      mergePatch(oneWidget, { status: { phase: "Lost" } }, { show: ["metadata.generation", "status"] }),
      get(`${oneWidget}/status`, { expect: 404 }),
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
      apply(oneWidget, widget({ size: 1, map: [{ k: "a", v: "1" }], set: ["x"], plain: ["p"], whole: { a: "1" } })),
      apply(oneWidget, widget({ map: [{ k: "b", v: "2" }], set: ["y"] }), { manager: "two" }),
      apply(oneWidget, widget({ whole: { b: "2" }, plain: ["q"] }), { manager: "two", expect: 409 }),
      apply(oneWidget, widget({ size: 1, set: ["x"] })),
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
      { waitFor: oneWidget, until: { "metadata.deletionGracePeriodSeconds": 0 }, show: ["metadata.finalizers"] },
      post(widgets, { ...widget({ size: 1 }), metadata: { name: "late" } }, { expect: 403 }),
      mergePatch(oneWidget, { metadata: { finalizers: null } }, { show: [] }),
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
      mergePatch(oneWidget, { spec: { size: 2 } }, { show: [] }),
      remove(oneWidget, undefined, { show: [] }),
      { events: "w", until: { type: "DELETED" }, show: ["apiVersion", "kind", "metadata.name", "metadata.generation", "spec"] },
    ],
  },
];
