import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../object/index.ts";
import { isOwnedBy, marked, objectionToAdopt, ownerOf } from "./index.ts";

const web = { name: "web", namespace: "shop" };
const bare: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop", labels: { app: "a" } } };

test("an object is marked as Helm marks it, and nothing else of it changes", () => {
  const object = marked(bare, web);
  assert.deepEqual(object, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: "a",
      namespace: "shop",
      labels: { app: "a", "app.kubernetes.io/managed-by": "Helm" },
      annotations: { "meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "shop" },
    },
  });
  assert.deepEqual(bare.metadata.labels, { app: "a" });
  assert.deepEqual(ownerOf(object), web);
  assert.ok(isOwnedBy(object, web) && !isOwnedBy(object, { name: "web", namespace: "other" }));
  assert.equal(objectionToAdopt(object, web), undefined);
  assert.deepEqual(marked(object, web), object);
});

const ours = marked(bare, web);
const without: KubeObject = { ...ours, metadata: { ...ours.metadata, labels: { "app.kubernetes.io/managed-by": "argo" } } };
const remedy = "delete it or give it another name, or take it over with --take-ownership";

const objections: readonly (readonly [string, KubeObject, string])[] = [
  [
    "an object without marks",
    bare,
    'configmap/a in shop is there already and is not marked as this release\'s: metadata.labels["app.kubernetes.io/managed-by"] is missing, expected "Helm"; ' +
      'metadata.annotations["meta.helm.sh/release-name"] is missing, expected "web"; ' +
      `metadata.annotations["meta.helm.sh/release-namespace"] is missing, expected "shop": ${remedy}`,
  ],
  [
    "an object of another release",
    marked(bare, { name: "api", namespace: "shop" }),
    'configmap/a in shop is there already and belongs to release api in shop: metadata.annotations["meta.helm.sh/release-name"] is "api", ' +
      `expected "web": ${remedy}`,
  ],
  [
    "an object whose label another tool has taken",
    without,
    'configmap/a in shop is there already and is not marked as this release\'s: metadata.labels["app.kubernetes.io/managed-by"] is "argo", ' +
      `expected "Helm": ${remedy}`,
  ],
];

for (const [what, live, message] of objections) {
  test(`${what} is not adopted by itself`, () => assert.equal(objectionToAdopt(live, web), message));
}
