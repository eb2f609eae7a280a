import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hook } from "../record/index.ts";
import { hookIndexOf } from "./hooks-done.ts";

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
