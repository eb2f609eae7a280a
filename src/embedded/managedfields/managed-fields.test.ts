import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { applyManaged, type ManagedApplyResult } from "./apply-managed.ts";
import { typeOfCustomResource } from "./custom-resource-type.ts";
import { excluding } from "./field-set-filter.ts";
import { fieldSetAt, workloadType } from "../../../test/support/embedded/workload-type.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { deducedType } from "./merge-type.ts";
import { updateManaged } from "./update-managed.ts";

const kind: ManagedKind = {
  apiVersion: "apps/v1",
  kind: "Workload",
  type: workloadType,
  blank: { metadata: {}, spec: { containers: null }, status: {} },
};

type Parts = Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> };

function object({ metadata = {}, ...parts }: Parts): KubeObject {
  return { apiVersion: "apps/v1", kind: "Workload", metadata: { name: "w", namespace: "n", ...metadata }, ...parts };
}

const noStatus = excluding(fieldSetAt("status"));

function write(
  live: KubeObject | undefined,
  next: KubeObject,
  manager: string,
  second = 0,
  options: { subresource?: string } = {},
): KubeObject {
  return updateManaged({ kind, live, next, manager, time: `2030-01-01T00:00:0${second}Z`, reset: noStatus, ...options });
}

function tryApply(
  live: KubeObject | undefined,
  config: KubeObject,
  manager: string,
  options: { second?: number; force?: boolean } = {},
): ManagedApplyResult {
  const { second = 0, force = false } = options;
  return applyManaged({ kind, live, config, manager, force, time: `2030-01-01T00:00:0${second}Z`, reset: noStatus });
}

function applied(...args: Parameters<typeof tryApply>): KubeObject {
  const result = tryApply(...args);
  assert.ok(result.state === "applied", JSON.stringify(result));
  return result.object;
}

/** `manager operation time fieldsV1`, one line for each. */
function managed({ metadata }: KubeObject): string[] {
  return (metadata.managedFields ?? []).map(({ manager, operation, subresource, time, fieldsV1 }) =>
    [manager, operation, subresource, time?.slice(17, 19), JSON.stringify(fieldsV1)].filter((part) => part !== undefined).join(" "),
  );
}

test("who creates an object owns what it set, but for what every object has", () => {
  const created = write(
    undefined,
    object({ metadata: { labels: { a: "1" } }, spec: { replicas: 1, containers: [{ name: "c" }] }, status: { phase: "A" } }),
    "m",
  );
  assert.deepEqual(created.metadata.managedFields, [
    {
      manager: "m",
      operation: "Update",
      apiVersion: "apps/v1",
      time: "2030-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: {
        "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
        "f:spec": { "f:containers": { 'k:{"name":"c"}': { ".": {}, "f:name": {} } }, "f:replicas": {} },
      },
    },
  ]);
});

test("the recorded answer of a real server to a create", () => {
  const configMap: ManagedKind = { apiVersion: "v1", kind: "ConfigMap", type: workloadType, blank: { metadata: {} } };
  const next = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x-1", generateName: "x-" }, data: { a: "1" } };
  const created = updateManaged({ kind: configMap, live: undefined, next, manager: "m1", time: "2030-01-01T00:00:00Z" });
  assert.equal(
    JSON.stringify(created.metadata.managedFields),
    '[{"manager":"m1","operation":"Update","apiVersion":"v1","time":"2030-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:a":{}},"f:metadata":{"f:generateName":{}}}}]',
  );
});

test("a time changes only with what its manager changes, and entries come oldest first", () => {
  const created = write(undefined, object({ data: { a: "1" } }), "zoe", 1);
  const second = write(created, { ...created, data: { a: "1", b: "1" } }, "adam", 2);
  assert.deepEqual(managed(second), ['zoe Update 01 {"f:data":{".":{},"f:a":{}}}', 'adam Update 02 {"f:data":{"f:b":{}}}']);
  assert.equal(write(second, { ...second }, "zoe", 3).metadata.managedFields, second.metadata.managedFields);
  const third = write(second, { ...second, data: { a: "2", b: "1" } }, "zoe", 4);
  assert.deepEqual(managed(third), ['adam Update 02 {"f:data":{"f:b":{}}}', 'zoe Update 04 {"f:data":{".":{},"f:a":{}}}']);
  // Removing fields changes no manager's fields.
  const fourth = write(third, { ...third, data: { a: "2" } }, "zoe", 5);
  assert.deepEqual(managed(fourth), ['zoe Update 04 {"f:data":{".":{},"f:a":{}}}']);
});

test("a subresource has a manager of its own, and managedFields that a client sends to it are ignored", () => {
  const created = write(undefined, object({ data: { a: "1" } }), "m", 1);
  const status = { ...created, metadata: { ...created.metadata, managedFields: [] }, status: { phase: "A" } };
  const next = updateManaged({
    kind,
    live: created,
    next: status,
    manager: "m",
    subresource: "status",
    time: "2030-01-01T00:00:02Z",
    reset: excluding(fieldSetAt("spec")),
  });
  assert.deepEqual(managed(next), ['m Update 01 {"f:data":{".":{},"f:a":{}}}', 'm Update status 02 {"f:status":{".":{},"f:phase":{}}}']);
});

for (const reset of [[], [{}]])
  test(`managedFields ${JSON.stringify(reset)} resets them, until somebody applies`, () => {
    const live = write(undefined, object({ data: { a: "1" } }), "m", 1);
    const forgotten = write(live, { ...live, metadata: { ...live.metadata, managedFields: reset } }, "m", 2);
    assert.equal("managedFields" in forgotten.metadata, false);
    const still = write(forgotten, { ...forgotten, data: { a: "2" } }, "m", 3);
    assert.equal("managedFields" in still.metadata, false);
    assert.deepEqual(managed(applied(still, object({ data: { b: "1" } }), "a", { second: 4 })), [
      'a Apply 04 {"f:data":{"f:b":{}}}',
      'before-first-apply Update 04 {"f:data":{".":{},"f:a":{}}}',
    ]);
  });

test("managedFields that a client broke do not count, those it edited do", () => {
  const live = write(undefined, object({ data: { a: "1" } }), "m", 1);
  const sent = (managedFields: KubeObject["metadata"]["managedFields"]) =>
    write(live, { ...live, metadata: { ...live.metadata, managedFields: managedFields! } }, "m", 2);
  assert.deepEqual(sent([{ manager: "x", operation: "Update" }]).metadata.managedFields, live.metadata.managedFields);
  const edited = [
    { manager: "x", operation: "Update", apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1: { "f:spec": {}, "f:data": {} } },
  ];
  assert.deepEqual(managed(sent(edited)), ['x Update {"f:data":{},"f:spec":{}}']);
});

test("ten writers are kept apart, the oldest of more become ancient-changes", () => {
  let live = write(undefined, object({ data: { k0: "1" } }), "w0", 0);
  for (let at = 1; at <= 11; at++) {
    const next = { ...live, data: { ...(live["data"] as object), [`k${at}`]: "1" } };
    live = updateManaged({ kind, live, next, manager: `w${at}`, time: `2030-01-01T00:00:${10 + at}Z` });
  }
  const lines = managed(live);
  assert.equal(lines.length, 10);
  assert.equal(lines[0], 'ancient-changes Update 12 {"f:data":{".":{},"f:k0":{},"f:k1":{},"f:k2":{}}}');
  assert.equal(lines[1], 'w3 Update 13 {"f:data":{"f:k3":{}}}');
});

test("an object that does not fit its type loses its managedFields, and the error is reported", () => {
  const live = write(undefined, object({ data: { a: "1" } }), "m", 1);
  const messages: string[] = [];
  const next = updateManaged({
    kind,
    live,
    next: { ...live, spec: { replicas: "x" } },
    manager: "m",
    time: "2030-01-01T00:00:02Z",
    onTypedError: (text) => messages.push(text),
  });
  assert.equal(next.metadata.managedFields, undefined);
  assert.deepEqual(messages, [
    "failed to convert new object (n/w; apps/v1, Kind=Workload) to smd typed: .spec.replicas: expected numeric (int or float), got string",
  ]);
});

test("an applied object is owned as it was sent", () => {
  const live = applied(undefined, object({ data: { a: "1" }, status: { phase: "A" } }), "me");
  assert.deepEqual(managed(live), ['me Apply 00 {"f:data":{"f:a":{}}}']);
  assert.deepEqual(live["data"], { a: "1" });
});

test("applying the same again gives the very same object", () => {
  const config = object({ metadata: { labels: { a: "1" } }, spec: { replicas: 2, containers: [{ name: "c", ports: [{ port: 80 }] }] } });
  const live = applied(undefined, config, "me");
  assert.equal(applied(live, config, "me", { second: 5 }), live);
});

test("a second applier of the same values is added without a time", () => {
  const live = applied(undefined, object({ data: { a: "1" } }), "me", { second: 1 });
  assert.deepEqual(managed(applied(live, object({ data: { a: "1" } }), "you", { second: 2 })), [
    'you Apply {"f:data":{"f:a":{}}}',
    'me Apply 01 {"f:data":{"f:a":{}}}',
  ]);
});

test("one conflict, in the words of a server", () => {
  const live = applied(undefined, object({ data: { a: "1" } }), "a");
  assert.deepEqual(tryApply(live, object({ data: { a: "2" } }), "b"), {
    state: "conflicting",
    message: 'Apply failed with 1 conflict: conflict with "a": .data.a',
    causes: [{ message: 'conflict with "a"', field: ".data.a" }],
  });
  assert.deepEqual(applied(live, object({ data: { a: "2" } }), "b", { force: true })["data"], { a: "2" });
});

test("several conflicts, by manager; writers with their version and subresource", () => {
  let live = applied(undefined, object({ data: { a: "1" } }), "x");
  live = write(live, { ...live, spec: { replicas: 1, paused: true } }, "kubectl-client-side-apply", 1);
  live = updateManaged({
    kind,
    live,
    next: { ...live, status: { phase: "A" } },
    manager: "kubelet",
    subresource: "status",
    time: "2030-01-01T00:00:02Z",
  });
  const config = object({ data: { a: "2" }, spec: { replicas: 2, paused: false }, status: { phase: "B" } });
  const result = applyManaged({ kind, live, config, manager: "y", time: "2030-01-01T00:00:03Z" });
  assert.ok(result.state === "conflicting");
  assert.equal(
    result.message,
    'Apply failed with 4 conflicts: conflicts with "kubectl-client-side-apply" using apps/v1:\n- .spec.paused\n- .spec.replicas\n' +
      'conflicts with "kubelet" with subresource "status" using apps/v1:\n- .status.phase\nconflicts with "x":\n- .data.a',
  );
  assert.deepEqual(result.causes[0], { message: 'conflict with "kubectl-client-side-apply" using apps/v1', field: ".spec.paused" });
});

const rejections: readonly (readonly [string, Parts, number, string])[] = [
  ["another version", { apiVersion: "apps/v2" }, 400, "invalid object type: apps/v2, Kind=Workload"],
  ["managedFields", { metadata: { managedFields: [] } }, 400, "metadata.managedFields must be nil"],
  [
    "a misfit",
    { spec: { replicas: "x" } },
    500,
    "failed to create typed patch object (n/w; apps/v1, Kind=Workload): .spec.replicas: expected numeric (int or float), got string",
  ],
];

for (const [title, parts, code, message] of rejections)
  test(`${title} in an applied object is rejected`, () => {
    assert.deepEqual(tryApply(undefined, object(parts), "me"), { state: "rejected", code, message });
  });

test("the recorded answer of a real server to a misfit in a custom resource", () => {
  const type = typeOfCustomResource({
    type: "object",
    properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
  });
  const config = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "q2" }, spec: { size: "big" } };
  const result = applyManaged({
    kind: { apiVersion: "example.com/v1", kind: "Widget", type },
    live: undefined,
    config,
    manager: "me",
    time: "2030-01-01T00:00:00Z",
  });
  assert.deepEqual(result, {
    state: "rejected",
    code: 500,
    message:
      "failed to create typed patch object (/q2; example.com/v1, Kind=Widget): .spec.size: expected numeric (int or float), got string",
  });
});

test("kubectl takes over what it applied by itself before, and nothing else", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const last = JSON.stringify(object({ data: { a: "1", b: "1" } }));
  let live = write(
    undefined,
    object({ metadata: { annotations: { [annotation]: last } }, data: { a: "1", b: "1" } }),
    "kubectl-client-side-apply",
    1,
  );
  const upgraded = applied(live, object({ data: { a: "2" } }), "kubectl", { second: 2 });
  assert.deepEqual(upgraded["data"], { a: "2", b: "1" });
  assert.equal(
    upgraded.metadata.annotations?.[annotation],
    '{"apiVersion":"apps/v1","data":{"a":"2"},"kind":"Workload","metadata":{"name":"w","namespace":"n"}}\n',
  );
  assert.equal(tryApply(live, object({ data: { a: "2" } }), "somebody").state, "conflicting");
  live = write(live, { ...live, data: { a: "1", b: "3" } }, "other", 2);
  const refused = tryApply(live, object({ data: { a: "2", b: "2" } }), "kubectl", { second: 3 });
  assert.ok(refused.state === "conflicting");
  assert.deepEqual(refused.causes, [{ message: 'conflict with "other" using apps/v1', field: ".data.b" }]);
});

function served(version: string) {
  return version === "apps/v1beta1" ? deducedType : undefined;
}

test("managers of other versions count where the version is served, and are dropped where not", () => {
  const old: ManagedKind = { apiVersion: "apps/v1beta1", kind: "Workload", type: deducedType };
  const live = applyManaged({
    kind: old,
    live: undefined,
    config: { ...object({ data: { a: "1" } }), apiVersion: "apps/v1beta1" },
    manager: "a",
    time: "2030-01-01T00:00:00Z",
  });
  assert.ok(live.state === "applied");
  const now = { ...live.object, apiVersion: "apps/v1" };
  const config = object({ data: { a: "2" } });
  const conflict = applyManaged({ kind: { ...kind, served }, live: now, config, manager: "b", time: "2030-01-01T00:00:01Z" });
  assert.equal(conflict.state === "conflicting" && conflict.message, 'Apply failed with 1 conflict: conflict with "a": .data.a');
  assert.deepEqual(managed(applied(now, config, "b", { second: 1 })), ['b Apply 01 {"f:data":{"f:a":{}}}']);
});
