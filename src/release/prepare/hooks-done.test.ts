import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf } from "../../core/object/index.ts";
import type { Hook } from "../record/index.ts";
import { hook as hookManifest, item } from "../../../test/support/plan/plan-notation.ts";
import { hasRun, hookEventOf, hookIndexOf, hooksDone } from "./hooks-done.ts";

const hook = (kind: string, name: string, namespace = ""): Hook => ({
  name,
  kind,
  path: "hooks.yaml",
  manifest: `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${namespace === "" ? "" : `  namespace: ${namespace}\n`}`,
  events: ["pre-install"],
  weight: 0,
  deletePolicies: [],
  outputLogPolicies: [],
  lastRun: { phase: "" },
});

const hooks = [
  hook("Job", "a"),
  hook("Pod", "a"),
  hook("Job", "b", "one"),
  hook("Job", "b", "two"),
  hook("Job", "c"),
  hook("Job", "c", "two"),
];

const places: readonly (readonly [string, string, string, number])[] = [
  ["Job", "home", "a", 0],
  ["Pod", "home", "a", 1],
  ["Job", "one", "b", 2],
  ["Job", "two", "b", 3],
  ["Job", "home", "c", 4],
  ["Job", "two", "c", 5],
  ["Job", "home", "d", -1],
];

for (const [kind, namespace, name, place] of places) {
  test(`${kind} ${name} in ${namespace} is hook ${place}`, () => assert.equal(hookIndexOf(hooks, { kind, namespace, name }), place));
}

test("a hook is done in each stage whose event has succeeded", () => {
  const both = hookManifest("Job", "both", { install: ["pre", "post"], delete: ["pre"] });
  const resource = item("ConfigMap", "resource", { stages: { install: ["main"] } });
  const asked: string[] = [];
  const done = hooksDone([both, resource], "install", ({ name }, event) => {
    asked.push(`${name} ${event}`);
    return event === "pre-install";
  });
  assert.deepEqual(asked, ["both pre-install", "both post-install"]);
  assert.equal([...done].join(), `pre/${keyOf(both.ref)}`);
  assert.deepEqual([hasRun(both.ref, done), hasRun(resource.ref, done)], [true, false]);
});

test("the event of a test has no stage", () => {
  assert.deepEqual([hookEventOf("test", "pre"), hookEventOf("delete", "post")], ["test", "post-delete"]);
});
