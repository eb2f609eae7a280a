import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { withReleaseOwner, releaseOwnerOf } from "./index.ts";

const web = { name: "web", namespace: "shop" };
const bare: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop", labels: { app: "a" } } };

test("an object is marked as Helm marks it, and nothing else of it changes", () => {
  const object = withReleaseOwner(bare, web);
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
  assert.deepEqual(releaseOwnerOf(object), web);
  assert.deepEqual(withReleaseOwner(object, web), object);
});

test("the label alone does not make an owner, and losing it does not end ownership", () => {
  const labels = { "app.kubernetes.io/managed-by": "Helm" };
  assert.equal(releaseOwnerOf({ ...bare, metadata: { ...bare.metadata, labels } }), undefined);
  const ours = withReleaseOwner(bare, web);
  assert.deepEqual(releaseOwnerOf({ ...ours, metadata: { ...ours.metadata, labels: { "app.kubernetes.io/managed-by": "argo" } } }), web);
});
