import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { differencesBetween, differenceLine } from "./state-difference.ts";
import { comparableObject } from "./comparable-state.ts";
import { NameMapping } from "./name-mapping.ts";
import type { FleetState } from "./recorded-scenario.ts";

const [first, second, third] = ["a".repeat(20), "b".repeat(20), "c".repeat(20)];
const [uidOne, uidTwo] = ["11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"];

/** `profile for my-service, whose content is in ConfigMap …`. */
function profile(name: string, resource: string, content: string): KubeObject {
  const metadata = { name: `sveltos-${name}`, labels: { resourcename: resource, trigger: "t" } };
  return {
    apiVersion: "config/v1",
    kind: "ClusterProfile",
    metadata,
    spec: { policyRefs: [{ kind: "ConfigMap", name: `sveltos-${content}` }] },
  };
}

function content(name: string, text = "same"): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `sveltos-${name}`, namespace: "projectsveltos" }, data: { text } };
}

function deployed(owner: string, uid: string): KubeObject {
  const ownerReferences = [{ apiVersion: "config/v1", kind: "ClusterProfile", name: `sveltos-${owner}`, uid }];
  return { apiVersion: "v1", kind: "Service", metadata: { name: "s", namespace: "default", ownerReferences } };
}

function lines(recorded: FleetState, got: FleetState, renaming = new NameMapping()): readonly string[] {
  return differencesBetween(recorded, renaming.rename(recorded, got)).map(differenceLine);
}

test("random names and uids are matched by what they stand for, whatever their order", () => {
  const recorded: FleetState = {
    management: [profile("RANDOM1", "x", "RANDOM3"), profile("RANDOM2", "y", "RANDOM4"), content("RANDOM3"), content("RANDOM4")],
    c1: [deployed("RANDOM2", "UID1")],
  };
  const got: FleetState = {
    management: [
      content(third),
      content(uidOne.replaceAll("-", "").slice(0, 20)),
      profile(first, "y", third),
      profile(second, "x", uidOne.replaceAll("-", "").slice(0, 20)),
    ],
    c1: [deployed(first, uidOne)],
  };
  assert.deepEqual(lines(recorded, got), []);
});

test("a reference to the wrong one of two generated objects is found", () => {
  const recorded: FleetState = { management: [profile("RANDOM1", "x", "RANDOM3"), content("RANDOM3", "one"), content("RANDOM4", "two")] };
  const got: FleetState = { management: [profile(first, "x", third), content(second, "one"), content(third, "two")] };
  assert.notDeepEqual(lines(recorded, got), []);
});

test("a name that should have stayed is missed when it has not, and the reverse", () => {
  const renaming = new NameMapping();
  const [old, next] = [{ management: [content("RANDOM1")] }, { management: [content("RANDOM2")] }];
  assert.deepEqual(lines(old, { management: [content(first)] }, renaming), []);
  assert.deepEqual(lines(old, { management: [content(second)] }, renaming), [
    "management ConfigMap projectsveltos/sveltos-RANDOM1: is missing",
    `management ConfigMap projectsveltos/sveltos-${second}: is not in the record`,
  ]);
  assert.deepEqual(lines(next, { management: [content(first)] }, renaming), [
    "management ConfigMap projectsveltos/sveltos-RANDOM2: is missing",
    "management ConfigMap projectsveltos/sveltos-RANDOM1: is not in the record",
  ]);
});

test("one uid cannot stand for two", () => {
  const both: FleetState = { c1: [deployed("RANDOM1", "UID1"), { ...deployed("RANDOM1", "UID1"), kind: "Secret" }] };
  const got: FleetState = { c1: [deployed(first, uidOne), { ...deployed(first, uidTwo), kind: "Secret" }] };
  assert.deepEqual(lines(both, got), [
    `c1 Secret default/s: metadata.ownerReferences[ClusterProfile/sveltos-RANDOM1].uid: recorded "UID1", got "${uidTwo}"`,
  ]);
});

function pod(fields: object): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, ...fields };
}

const pairs: Readonly<Record<string, readonly [object, object, readonly string[]]>> = {
  "a field that differs": [{ spec: { a: 1 } }, { spec: { a: 2 } }, ["spec.a: recorded 1, got 2"]],
  "a field that is missing": [{ spec: { a: [1] } }, { spec: {} }, ["spec.a: recorded [1], got nothing"]],
  "conditions in another order": [
    { conditions: [{ type: "A", x: 1 }, { type: "B" }] },
    { conditions: [{ type: "B" }, { type: "A", x: 2 }] },
    ["conditions[A].x: recorded 1, got 2"],
  ],
  "matches in another order": [
    { matchingResources: [{ name: "a" }, { name: "b" }] },
    { matchingResources: [{ name: "b" }, { name: "a" }] },
    ['matchingResources[0].name: recorded "a", got "b"', 'matchingResources[1].name: recorded "b", got "a"'],
  ],
  "an item too many": [{ args: ["a"] }, { args: ["a", "b"] }, ['args[1]: recorded nothing, got "b"']],
};

for (const [what, [recorded, got, expected]] of Object.entries(pairs)) {
  test(`${what} is a difference`, () => {
    assert.deepEqual(
      lines({ c1: [pod(recorded)] }, { c1: [pod(got)] }),
      expected.map((line) => `c1 Pod p: ${line}`),
    );
  });
}

test("objects that only one side has are differences", () => {
  assert.deepEqual(lines({ c1: [pod({})] }, { c1: [], c2: [pod({})] }), ["c1 Pod p: is missing", "c2 Pod p: is not in the record"]);
});

test("what the server sets is left aside, and reports are read", () => {
  const inside = { apiVersion: "v1", kind: "Service", metadata: { name: "s", uid: uidOne, labels: {} }, spec: { clusterIP: "10.0.0.1" } };
  const resources = Buffer.from(`${JSON.stringify(inside)}\n---`).toString("base64");
  const metadata = { name: "r", uid: uidTwo, resourceVersion: "7", generation: 2, labels: { a: "b" } };
  const report = comparableObject({
    apiVersion: "v1",
    kind: "EventReport",
    metadata,
    spec: { resources },
    status: { at: "2026-11-15T04:47:41Z" },
  });
  assert.deepEqual(report, {
    apiVersion: "v1",
    kind: "EventReport",
    metadata: { name: "r", labels: { a: "b" } },
    spec: { resources: [{ apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { clusterIP: "<address>" } }] },
    status: { at: "<time>" },
  });
});
