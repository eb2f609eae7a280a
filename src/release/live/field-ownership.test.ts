import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ManagedFieldsEntry } from "../../core/object/index.ts";
import { migratedManagedFields } from "./index.ts";
import { joinFieldSets, withoutOwnedFields } from "./field-set.ts";

function entry(manager: string, operation: string, fieldsV1: ManagedFieldsEntry["fieldsV1"], more = {}): ManagedFieldsEntry {
  return { manager, operation, apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: fieldsV1 ?? {}, ...more };
}

function configMap(managedFields: readonly ManagedFieldsEntry[], kind = "ConfigMap"): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name: "a", managedFields } };
}

test("what was applied as stringData of a Secret is owned in data, where it is", () => {
  const entries = [entry("helm", "Apply", { "f:data": { "f:a": {} }, "f:stringData": { "f:b": {} }, "f:type": {} })];
  const moved = [entry("helm", "Apply", { "f:data": { "f:a": {}, "f:b": {} }, "f:type": {} })];
  assert.deepEqual(migratedManagedFields(configMap(entries, "Secret"), ["helm"], "helm"), moved);
  assert.equal(migratedManagedFields(configMap(entries), ["helm"], "helm"), undefined);
});

test("fields of client-side managers become those of the applier, and others' stay", () => {
  const [a, b] = [{ "f:data": { "f:a": {} } }, { "f:data": { ".": {}, "f:b": {} } }];
  const both = { "f:data": { ".": {}, "f:a": {}, "f:b": {} } };
  const status = entry("helm", "Update", {}, { subresource: "status" });
  const somebody = entry("somebody", "Update", a);
  const cases: [readonly ManagedFieldsEntry[], readonly ManagedFieldsEntry[] | undefined][] = [
    [[entry("helm", "Apply", a), somebody, status], undefined],
    [
      [entry("helm", "Update", a), somebody, status],
      [entry("helm", "Apply", a), somebody, status],
    ],
    [[entry("helm", "Apply", a), entry("helm", "Update", b)], [entry("helm", "Apply", both)]],
    [[entry("kubectl-client-side-apply", "Update", a), entry("helm", "Update", b)], [entry("helm", "Apply", both)]],
  ];
  for (const [before, after] of cases)
    assert.deepEqual(migratedManagedFields(configMap(before), ["helm", "kubectl-client-side-apply"], "helm"), after);
});

test("what the cluster itself writes is not taken over from before managers were tracked", () => {
  const annotations = { "f:pv.kubernetes.io/bind-completed": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {}, "f:a": {} };
  const metadata = { "f:finalizers": { ".": {} }, "f:labels": { "f:a": {} }, "f:annotations": annotations };
  const set = { "f:metadata": metadata, "f:spec": { "f:volumeName": {}, "f:accessModes": {} } };
  assert.deepEqual(migratedManagedFields(configMap([entry("before-first-apply", "Update", set)]), ["before-first-apply"], "helm"), [
    entry("helm", "Apply", {
      "f:metadata": { "f:labels": { "f:a": {} }, "f:annotations": { "f:kubectl.kubernetes.io/last-applied-configuration": {}, "f:a": {} } },
      "f:spec": { "f:accessModes": {} },
    }),
  ]);
});

test("field sets are joined with who owns a path itself", () => {
  assert.deepEqual(joinFieldSets({ "f:a": {} }, { "f:a": { "f:b": {} } }), { "f:a": { ".": {}, "f:b": {} } });
});

test("owned fields go, with what is below them, unless somebody else has them", () => {
  const value = { data: { a: 1, b: 2 }, ports: [{ name: "x", port: 1 }, { name: "y" }], finalizers: ["p", "q"], rest: 1 };
  const owned = {
    "f:data": { ".": {}, "f:a": {}, "f:b": {} },
    "f:ports": { 'k:{"name":"x"}': { ".": {}, "f:name": {}, "f:port": {} }, 'k:{"name":"y"}': { ".": {}, "f:name": {} } },
    "f:finalizers": { 'v:"p"': {}, 'v:"q"': {} },
  };
  const kept = {
    "f:data": { "f:a": {} },
    "f:ports": { 'k:{"name":"x"}': { ".": {}, "f:name": {} } },
    "f:finalizers": { 'v:"q"': {} },
  };
  assert.deepEqual(withoutOwnedFields(value, owned, kept), { data: { a: 1 }, ports: [{ name: "x" }], finalizers: ["q"], rest: 1 });
});
