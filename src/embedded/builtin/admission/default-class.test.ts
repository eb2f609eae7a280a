import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt } from "../../../core/object/index.ts";
import { AdmissionFixture, type PartialObject } from "../../../../test/support/embedded/admission-fixture.ts";

const classes = "storageclasses.storage.k8s.io";
const claims = "persistentvolumeclaims";
const isDefault = "storageclass.kubernetes.io/is-default-class";

function storageClass(name: string, created: string, marks: object = {}, more: object = {}): PartialObject {
  return { metadata: { name, namespace: "", creationTimestamp: `2030-01-01T00:00:${created}Z`, annotations: marks }, ...more };
}

const marked = { [isDefault]: "true" };
const chosen: Record<string, { known: PartialObject[]; claim?: PartialObject; expected: unknown }> = {
  "no default": { known: [storageClass("a", "00"), storageClass("b", "00", { [isDefault]: "false" })], expected: undefined },
  "the default": { known: [storageClass("a", "00"), storageClass("b", "00", marked)], expected: "b" },
  "the newest of several": {
    known: [storageClass("a", "00", marked), storageClass("b", "09", marked), storageClass("c", "05", marked)],
    expected: "b",
  },
  "the first by name of equally new ones": { known: [storageClass("c", "00", marked), storageClass("b", "00", marked)], expected: "b" },
  "the old mark counts": {
    known: [storageClass("a", "00", { "storageclass.beta.kubernetes.io/is-default-class": "true" })],
    expected: "a",
  },
  "a class of one's own": { known: [storageClass("b", "00", marked)], claim: { spec: { storageClassName: "x" } }, expected: "x" },
  "no class is a choice too": { known: [storageClass("b", "00", marked)], claim: { spec: { storageClassName: "" } }, expected: "" },
  "the old annotation is a choice": {
    known: [storageClass("b", "00", marked)],
    claim: { metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "x" } }, spec: {} },
    expected: undefined,
  },
};

for (const [name, { known, claim = { spec: {} }, expected }] of Object.entries(chosen)) {
  test(`storage class: ${name}`, () => {
    const made = new AdmissionFixture({ [classes]: known }).create(claims, claim);
    assert.equal(fieldsAt(made, "spec")["storageClassName"], expected);
  });
}

test("an ingress gets the default class unless it names one", () => {
  const mark = { "ingressclass.kubernetes.io/is-default-class": "true" };
  const cluster = new AdmissionFixture({ "ingressclasses.networking.k8s.io": [storageClass("usual", "00", mark)] });
  const classOf = (sketch: PartialObject) => fieldsAt(cluster.create("ingresses.networking.k8s.io", sketch), "spec")["ingressClassName"];
  assert.equal(classOf({ spec: {} }), "usual");
  assert.equal(classOf({ spec: { ingressClassName: "own" } }), "own");
  assert.equal(classOf({ metadata: { annotations: { "kubernetes.io/ingress.class": "own" } }, spec: {} }), undefined);
});
