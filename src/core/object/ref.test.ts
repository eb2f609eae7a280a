import assert from "node:assert/strict";
import { test } from "node:test";
import { apiVersionOf, groupVersionOf, keyOf, refOf, titleOf } from "./ref.ts";

for (const [apiVersion, group, version] of [
  ["v1", "", "v1"],
  ["apps/v1", "apps", "v1"],
  ["example.com/v1beta1", "example.com", "v1beta1"],
] as const) {
  test(`${apiVersion} is version ${version} of group "${group}"`, () => {
    assert.deepEqual(groupVersionOf(apiVersion), { group, version });
    assert.equal(apiVersionOf({ group, version }), apiVersion);
  });
}

test("an object is named the same in whatever version it is spoken of", () => {
  assert.equal(named("apps/v1"), "apps/Deployment/shop/web");
  assert.equal(named("apps/v1beta1"), named("apps/v1"));
  const namespace = refOf({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  assert.equal(keyOf(namespace), "/Namespace//shop");
  assert.equal(titleOf(namespace), "namespace/shop");
});

function named(apiVersion: string): string {
  return keyOf(refOf({ apiVersion, kind: "Deployment", metadata: { name: "web", namespace: "shop" } }));
}
