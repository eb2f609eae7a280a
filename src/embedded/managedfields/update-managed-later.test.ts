import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fields, KubeObject } from "../../core/object/index.ts";
import { isDeferred } from "./deferred-entries.ts";
import { fieldSetOf } from "./field-set.ts";
import { excluding } from "./field-set-filter.ts";
import { deducedType } from "./merge-type.ts";
import { updateManagedLater } from "./update-managed-later.ts";
import { updateManaged, type ManagedUpdate } from "./update-managed.ts";

const kind = { apiVersion: "example.com/v1", kind: "Widget", type: deducedType };
const resets = { "": excluding(fieldSetOf(["status"])), status: excluding(fieldSetOf(["spec"])) };

/** A write: who makes it, to which subresource, and what it changes. Undefined removes a field. */
type Write = {
  readonly by: string;
  readonly to?: "status";
  readonly spec?: Fields | undefined;
  readonly status?: Fields | undefined;
  readonly labels?: Fields | undefined;
};

type Update = (request: ManagedUpdate) => KubeObject;

/** The object after each of these writes. */
function versionsAfter(writes: readonly Write[], update: Update): readonly KubeObject[] {
  const versions: KubeObject[] = [];
  for (const [at, write] of writes.entries()) {
    const { by, to = "", labels, ...parts } = write;
    const live = versions.at(-1);
    const metadata = live?.metadata ?? { name: "a" };
    const next = {
      ...(live ?? { apiVersion: kind.apiVersion, kind: kind.kind }),
      metadata: "labels" in write ? { ...metadata, labels } : metadata,
      ...parts,
    } as KubeObject;
    const time = `2030-01-01T00:00:${String(at).padStart(2, "0")}Z`;
    versions.push(update({ kind, live, next, manager: by, subresource: to, time, reset: resets[to], fits: true }));
  }
  return versions;
}

function deferralsOf(versions: readonly KubeObject[]): string {
  return versions
    .map(({ metadata: { managedFields } }) => (managedFields === undefined ? "-" : isDeferred(managedFields) ? "d" : "n"))
    .join("");
}

const created: Write = { by: "creator", spec: { replicas: 1, image: "a" } };
const counted = (count: number): Write => ({ by: "counter", to: "status", status: { count, seen: { first: 1 } } });

/** Writes, and which versions are computed now (n), deferred (d) or have no managers (-). */
const cases: readonly [string, string, readonly Write[]][] = [
  ["a create and status writes", "ddd", [created, counted(1), counted(2)]],
  ["the ninth in a row is computed, and others follow on it", "ddddddddnd", [created, ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(counted)]],
  ["a write that changes nothing", "ddd", [created, counted(1), counted(1)]],
  ["another manager sets a field of the spec", "ddd", [created, { by: "scaler", spec: { replicas: 2, image: "a" } }, counted(1)]],
  ["a field of the spec is removed", "dn", [created, { by: "scaler", spec: { image: "a" } }]],
  ["labels and the status at once", "dn", [created, { ...counted(1), labels: { a: "b" } }]],
  ["only the status has an owner", "ndnn", [{ by: "a", labels: { a: "b" } }, counted(1), { by: "a", labels: undefined }, counted(2)]],
  ["an object without managers gets none", "-----", [{ by: "a" }, counted(1), counted(2), { by: "a", spec: { a: 1 } }, counted(3)]],
];

for (const [what, deferrals, writes] of cases)
  test(`managedFields that are computed later are the same: ${what}`, () => {
    const versions = versionsAfter(writes, updateManagedLater);
    assert.equal(deferralsOf(versions), deferrals);
    const expected = versionsAfter(writes, updateManaged);
    // From the last to the first, and the other way round.
    assert.equal(JSON.stringify(versions.toReversed()), JSON.stringify(expected.toReversed()));
    assert.equal(JSON.stringify(versionsAfter(writes, updateManagedLater)), JSON.stringify(expected));
  });

test("a deferred list is a list to everybody who looks", () => {
  const [{ metadata } = { metadata: { managedFields: [] } }] = versionsAfter([created], updateManagedLater);
  const [plain] = versionsAfter([created], updateManaged);
  const entries = metadata.managedFields!;
  assert.ok(Array.isArray(entries) && 0 in entries && !(1 in entries));
  assert.equal(entries.length, 1);
  assert.deepEqual([...entries], plain!.metadata.managedFields);
  assert.deepEqual(Object.entries(entries), Object.entries(plain!.metadata.managedFields!));
});
