import assert from "node:assert/strict";
import { test } from "node:test";
import { AdmissionFixture } from "../../../../test/support/embedded/admission-fixture.ts";

const claims = "persistentvolumeclaims";

function finalizersOf(resource: string, finalizers: string[]): readonly string[] | undefined {
  return new AdmissionFixture().create(resource, { metadata: { finalizers }, spec: {} }).metadata.finalizers;
}

test("claims and volumes are protected once", () => {
  assert.deepEqual(finalizersOf(claims, ["x"]), ["x", "kubernetes.io/pvc-protection"]);
  assert.deepEqual(finalizersOf(claims, ["kubernetes.io/pvc-protection"]), ["kubernetes.io/pvc-protection"]);
  assert.deepEqual(finalizersOf("persistentvolumes", []), ["kubernetes.io/pv-protection"]);
});

test("a finalizer that was taken away is not put back", () => {
  const cluster = new AdmissionFixture();
  assert.equal(cluster.update(claims, { spec: {} }, { spec: {} }).metadata.finalizers, undefined);
});
