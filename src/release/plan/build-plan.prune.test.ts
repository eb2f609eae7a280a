import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "../../core/object/index.ts";
import { arrows, item, planned, webRelease, existing } from "../../../test/support/plan/plan-notation.ts";

const kept: Readonly<Record<string, readonly [Parameters<typeof item>, Parameters<typeof existing>[1], string | undefined]>> = {
  "helm.sh/resource-policy of the manifest": [
    ["Secret", "x", { keep: { create: false, update: false, recreate: false, delete: true } }],
    {},
    "its manifest says that it is to be kept",
  ],
  "helm.sh/resource-policy of the live object": [
    ["Secret", "x"],
    { annotations: { "helm.sh/resource-policy": "keep" } },
    "the live object says helm.sh/resource-policy: keep",
  ],
  "sluice.dev/remove: keep": [
    ["Secret", "x", { remove: "keep" }, { metadata: { name: "x", namespace: "shop", annotations: { "sluice.dev/remove": "keep" } } }],
    {},
    "sluice.dev/remove says keep",
  ],
  "another annotation's policy is called by its name": [
    ["Secret", "x", { remove: "keep" }, { metadata: { name: "x", namespace: "shop", annotations: { "helm.sh/resource-policy": "keep" } } }],
    {},
    "helm.sh/resource-policy says keep",
  ],
  "the policy that keeps it is named, not one that does something else": [
    [
      "Secret",
      "x",
      { remove: "keep" },
      { metadata: { name: "x", namespace: "shop", annotations: { "werf.io/resource-policy": "skip-update", "kots.io/keep": "true" } } },
    ],
    {},
    "kots.io/keep says true",
  ],
  "another release": [
    ["Secret", "x"],
    { annotations: { "meta.helm.sh/release-name": "other", "meta.helm.sh/release-namespace": "b" } },
    "it belongs to release other in b",
  ],
  "a claim": [["PersistentVolumeClaim", "x"], {}, "it holds data: delete it with --delete-data"],
  "a volume claim with a deletion phase": [["PersistentVolumeClaim", "x", { deletion: { phase: 1, needs: [] } }], {}, undefined],
  "a CRD with custom resources": [
    ["CustomResourceDefinition", "x", { stage: "crds" }],
    { inhabitants: ["example.com/Widget/shop/w"] },
    "there is 1 object of its kind: delete it with --delete-data",
  ],
  "a CRD without custom resources": [["CustomResourceDefinition", "x", { stage: "crds" }], { inhabitants: [] }, undefined],
  "the release's namespace": [["Namespace", "shop", { remove: "keep" }], {}, "it is the namespace of the release"],
  "a plain object": [["Secret", "x"], {}, undefined],
};

for (const [what, [one, facts, because]] of Object.entries(kept)) {
  test(`${what}: ${because ?? "it goes"}`, () => {
    const candidate = item(...one);
    const made = planned({
      operation: "delete",
      release: webRelease,
      desired: [],
      previous: [candidate],
      live: new Map(existing([candidate], facts)),
    });
    assert.deepEqual(
      made.kept.map((each) => each.because),
      because === undefined ? [] : [because],
    );
    assert.equal(
      made.steps.some(({ action }) => action.verb === "delete"),
      because === undefined,
    );
  });
}

test("a CRD is pruned when all its custom resources are", () => {
  const crd = item("CustomResourceDefinition", "widgets.example.com", { stage: "crds" });
  const widget = item("Widget", "w", {}, { apiVersion: "example.com/v1" });
  const live = new Map([...existing([crd], { inhabitants: [keyOf(widget.ref)] }), ...existing([widget])]);
  const made = planned({ operation: "delete", release: webRelease, desired: [], previous: [crd, widget], live });
  assert.deepEqual(arrows(made).slice(1, 5), [
    "delete w < record uninstalling",
    "gone w < delete w",
    "delete widgets.example.com < gone w",
    "gone widgets.example.com < delete widgets.example.com",
  ]);
});
