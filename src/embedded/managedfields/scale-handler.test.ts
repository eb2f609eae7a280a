import assert from "node:assert/strict";
import { test } from "node:test";
import type { ManagedFieldsEntry } from "../../core/object/index.ts";
import { managedFieldsFromScale, managedFieldsOfScale } from "./scale-handler.ts";

const paths = { "apps/v1": ["spec", "replicas"] };
const time = "2030-01-01T00:00:00Z";

function entry(
  manager: string,
  operation: string,
  apiVersion: string,
  fieldsV1: ManagedFieldsEntry["fieldsV1"],
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return { manager, operation, apiVersion, time, fieldsType: "FieldsV1", fieldsV1: fieldsV1!, ...more };
}

const replicas = { "f:spec": { "f:replicas": {} } };
const parent = [
  entry("test", "Apply", "apps/v1", { "f:spec": { "f:replicas": {}, "f:selector": {} } }),
  entry("other", "Update", "apps/v1", { "f:spec": { "f:selector": {} } }),
];

test("a scale shows who manages the replicas", () => {
  assert.deepEqual(managedFieldsOfScale(parent, paths), [entry("test", "Apply", "autoscaling/v1", replicas)]);
});

test("who writes the scale takes the replicas from who had them", () => {
  const scale = [entry("scaler", "Update", "autoscaling/v1", replicas, { subresource: "scale" })];
  const { time: _, ...timeless } = entry("scaler", "Update", "apps/v1", replicas, { subresource: "scale" });
  assert.deepEqual(managedFieldsFromScale(parent, scale, "apps/v1", paths), [
    entry("test", "Apply", "apps/v1", { "f:spec": { "f:selector": {} } }),
    timeless,
    entry("other", "Update", "apps/v1", { "f:spec": { "f:selector": {} } }),
  ]);
});

test("a manager of the replicas in both keeps all its fields", () => {
  assert.deepEqual(managedFieldsFromScale(parent, [entry("test", "Apply", "autoscaling/v1", replicas)], "apps/v1", paths), parent);
});
