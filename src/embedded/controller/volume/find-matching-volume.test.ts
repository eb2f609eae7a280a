import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { findMatchingVolume } from "./find-matching-volume.ts";

function volume(
  name: string,
  size: string,
  { spec = {}, labels = {}, status = {} }: { spec?: object; labels?: Record<string, string>; status?: object } = {},
): KubeObject {
  const base = { capacity: { storage: size }, accessModes: ["ReadWriteOnce"], storageClassName: "fast" };
  return { apiVersion: "v1", kind: "PersistentVolume", metadata: { name, labels }, spec: { ...base, ...spec }, status };
}

function claim(size: string, spec: object = {}): KubeObject {
  const base = { accessModes: ["ReadWriteOnce"], storageClassName: "fast", resources: { requests: { storage: size } } };
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "default", uid: "u1" },
    spec: { ...base, ...spec },
  };
}

const mine = { claimRef: { namespace: "default", name: "data" } };

const cases: Record<string, { claim: KubeObject; volumes: KubeObject[]; expected: string | undefined }> = {
  "the smallest that is large enough": {
    claim: claim("5Gi"),
    volumes: [volume("a", "100Gi"), volume("b", "10Gi"), volume("c", "1Gi")],
    expected: "b",
  },
  "none is large enough": { claim: claim("5Gi"), volumes: [volume("c", "1Gi")], expected: undefined },
  "one that is kept for it": { claim: claim("5Gi"), volumes: [volume("a", "5Gi"), volume("b", "50Gi", { spec: mine })], expected: "b" },
  "one that is another's": {
    claim: claim("5Gi"),
    volumes: [volume("a", "5Gi", { spec: { claimRef: { namespace: "default", name: "other" } } })],
    expected: undefined,
  },
  "one that was an earlier claim's of the same name": {
    claim: claim("5Gi"),
    volumes: [volume("a", "5Gi", { spec: { claimRef: { ...mine.claimRef, uid: "u0" } } })],
    expected: undefined,
  },
  "another class": { claim: claim("1Gi"), volumes: [volume("a", "1Gi", { spec: { storageClassName: "slow" } })], expected: undefined },
  "an access mode it does not have": {
    claim: claim("1Gi", { accessModes: ["ReadWriteMany"] }),
    volumes: [volume("a", "1Gi")],
    expected: undefined,
  },
  "by labels": {
    claim: claim("1Gi", { selector: { matchLabels: { tier: "db" } } }),
    volumes: [volume("a", "1Gi"), volume("b", "1Gi", { labels: { tier: "db" } })],
    expected: "b",
  },
  "block is not a file system": { claim: claim("1Gi", { volumeMode: "Block" }), volumes: [volume("a", "1Gi")], expected: undefined },
  "a released one is not free": {
    claim: claim("1Gi"),
    volumes: [volume("a", "1Gi", { status: { phase: "Released" } })],
    expected: undefined,
  },
};

for (const [name, { claim: asked, volumes, expected }] of Object.entries(cases)) {
  test(name, () => assert.equal(findMatchingVolume(asked, volumes)?.metadata.name, expected));
}
