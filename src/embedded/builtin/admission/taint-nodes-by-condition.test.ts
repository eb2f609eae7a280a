import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt } from "../../../core/object/index.ts";
import { AdmissionFixture, type PartialObject } from "../../../../test/support/embedded/admission-fixture.ts";

const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

function node(taints: object[]): PartialObject {
  return { metadata: { namespace: "" }, spec: { taints } };
}

test("a new node is tainted once, an old one not", () => {
  const cluster = new AdmissionFixture();
  assert.deepEqual(listAt(cluster.create("nodes", node([])), "spec.taints"), [taint]);
  assert.deepEqual(listAt(cluster.create("nodes", node([taint])), "spec.taints"), [taint]);
  assert.deepEqual(listAt(cluster.update("nodes", node([taint]), node([])), "spec.taints"), []);
});
