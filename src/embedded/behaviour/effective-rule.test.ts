import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import type { BehaviourMatch } from "./behaviour.ts";
import { effectiveRuleOf } from "./effective-rule.ts";

const owned = (kind: string, name: string) => ({ ownerReferences: [{ apiVersion: "apps/v1", kind, name, uid: "1", controller: true }] });
const pod = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "shop", ...metadata },
  spec: { containers: [{ name: "main", image: "example.com/web:1" }] },
});
const ofDeployment = (name: string, workload: string) =>
  pod(name, { ...owned("ReplicaSet", `${workload}-6c48`), labels: { "pod-template-hash": "6c48" } });

const rows: readonly [what: string, match: BehaviourMatch, object: KubeObject, matches: boolean][] = [
  ["a Deployment by its name", { kind: "Deployment", workload: "web" }, ofDeployment("web-6c48-x", "web"), true],
  [
    "no other Deployment whose name begins alike",
    { kind: "Deployment", workload: "web" },
    ofDeployment("web-api-6c48-x", "web-api"),
    false,
  ],
  ["the ReplicaSet of a Deployment goes by the Deployment's name", { workload: "web-6c48" }, ofDeployment("web-6c48-x", "web"), false],
  ["a ReplicaSet of its own", { kind: "ReplicaSet", workload: "web" }, pod("web-x", owned("ReplicaSet", "web")), true],
  ["a Job", { kind: "Job", workload: "mig*" }, pod("migrate-x", owned("Job", "migrate")), true],
  ["a pod that nobody controls", { kind: "Pod", workload: "one" }, pod("one"), true],
  ["a pod of another workload", { workload: "one" }, pod("one", owned("StatefulSet", "db")), false],
];

for (const [what, match, object, matches] of rows) {
  test(`a rule matches ${what}: ${matches}`, () => {
    const { schedule } = effectiveRuleOf(object, { rules: [{ match, schedule: { never: "matched" } }] });
    assert.equal("never" in schedule, matches);
  });
}

test("annotations come before a rule that does not overrule them", () => {
  const object = pod("one", { annotations: { "sim.sluice.dev/schedule-after": "5s" } });
  const scheduleBy = (overrules: boolean) =>
    effectiveRuleOf(object, { rules: [{ match: {}, overrules, schedule: { never: "rule" } }] }).schedule;
  assert.deepEqual(scheduleBy(false), { after: { fixed: 5000 } });
  assert.deepEqual(scheduleBy(true), { never: "rule" });
});
