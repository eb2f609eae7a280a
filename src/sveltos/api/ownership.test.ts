import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { withoutOwnership, withOwnership, owningProfileOf, referenceOf, type Ownership } from "./ownership.ts";

const ownership: Ownership = {
  feature: "Resources",
  reference: { kind: "ConfigMap", namespace: "projectsveltos", name: "sveltos-evykjze69n3bz3gavzw4", tier: 100 },
  owner: { kind: "ClusterProfile", namespace: "", name: "sveltos-8ric1wghsf04cu8i1387", tier: 50 },
  cluster: { type: "Sveltos", namespace: "mgmt", name: "c1" },
};
const written: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "default", labels: { app: "web" } },
};
const labels = {
  "projectsveltos.io/reference-kind": "ConfigMap",
  "projectsveltos.io/reference-name": "sveltos-evykjze69n3bz3gavzw4",
  "projectsveltos.io/reference-namespace": "projectsveltos",
};

test("a deployed object carries seed 001's labels, its hash, and the newer annotations", () => {
  const { metadata } = withOwnership(written, ownership);
  assert.deepEqual(metadata.labels, { app: "web", "projectsveltos.io/reason": "Resources", ...labels });
  assert.deepEqual(metadata.annotations, {
    ...labels,
    "projectsveltos.io/reference-tier": "100",
    "projectsveltos.io/owner-kind": "ClusterProfile",
    "projectsveltos.io/owner-name": "sveltos-8ric1wghsf04cu8i1387",
    "projectsveltos.io/owner-tier": "50",
    "projectsveltos.io/clustersummary": "sveltos-mgmt-c1",
    "projectsveltos.io/deploymenttype": "Remote",
    // printf '%s\n' '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"app":"web"},"name":"a","namespace":"default"}}' | sha256sum
    "projectsveltos.io/hash": "sha256:c0510fb3cffc3eab99f452eded4fd9e272d3df1bfa3840e92340a3114b2b8e2e",
  });
});

test("the owner and the reference of an object are read back", () => {
  const object = withOwnership(written, ownership);
  assert.deepEqual(owningProfileOf(object), ownership.owner);
  assert.deepEqual(referenceOf(object), ownership.reference);
  const profile = { ...ownership, owner: { kind: "Profile", namespace: "eng", name: "p", tier: 100 } } as const;
  assert.deepEqual(owningProfileOf(withOwnership(written, profile)), profile.owner);
});

const reference = { apiVersion: "config.projectsveltos.io/v1alpha1", kind: "ClusterProfile", name: "old", uid: "1" };
const generations: Readonly<Record<string, readonly [metadata: object, owner: object | undefined, source: string | undefined]>> = {
  "of 2023": [{ labels, ownerReferences: [reference] }, { name: "old", tier: Infinity }, "sveltos-evykjze69n3bz3gavzw4"],
  "with a tier": [
    { labels, ownerReferences: [reference], annotations: { "projectsveltos.io/owner-tier": "50" } },
    { name: "old", tier: 50 },
    "sveltos-evykjze69n3bz3gavzw4",
  ],
  "with a tier that is none": [
    { ownerReferences: [reference], annotations: { "projectsveltos.io/owner-tier": "x" } },
    { tier: Infinity },
    undefined,
  ],
  "with labels and owner annotations": [
    { labels, annotations: { "projectsveltos.io/owner-name": "new", "projectsveltos.io/owner-kind": "Profile" } },
    { kind: "Profile", name: "new" },
    "sveltos-evykjze69n3bz3gavzw4",
  ],
  "of another owner": [{ ownerReferences: [{ ...reference, apiVersion: "apps/v1", kind: "ReplicaSet" }] }, undefined, undefined],
  "without an owner": [{}, undefined, undefined],
};

for (const [what, [metadata, owner, source]] of Object.entries(generations)) {
  test(`an object ${what} is recognised`, () => {
    const object = { ...written, metadata: { ...written.metadata, ...metadata } };
    const found = owningProfileOf(object);
    if (owner === undefined) assert.equal(found, undefined);
    else assert.partialDeepStrictEqual(found, owner);
    assert.equal(referenceOf(object)?.name, source);
  });
}

test("withoutOwnership leaves the reason, the hash and the tier", () => {
  const object = withOwnership(written, ownership);
  const left = withoutOwnership({ ...object, metadata: { ...object.metadata, ownerReferences: [reference] } });
  assert.deepEqual(left.metadata.labels, { app: "web", "projectsveltos.io/reason": "Resources" });
  assert.deepEqual(Object.keys(left.metadata.annotations ?? {}).toSorted(), [
    "projectsveltos.io/clustersummary",
    "projectsveltos.io/deploymenttype",
    "projectsveltos.io/hash",
    "projectsveltos.io/owner-tier",
  ]);
  assert.equal(left.metadata.ownerReferences, undefined);
  assert.deepEqual([owningProfileOf(left), referenceOf(left)], [undefined, undefined]);
});
