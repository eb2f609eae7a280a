import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { countsAsFailure, failJobMessage, matchPodFailurePolicy } from "./pod-failure-policy.ts";
import { parseIntervals } from "./index-intervals.ts";
import { matchSuccessPolicy } from "./success-policy.ts";

function job(spec: object): KubeObject {
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j", namespace: "default" }, spec };
}

function failedPod(exitCodes: Readonly<Record<string, number>>, conditions: readonly object[] = []): KubeObject {
  const containerStatuses = Object.entries(exitCodes).map(([name, exitCode]) => ({ name, state: { terminated: { exitCode } } }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "mypod", namespace: "default" },
    status: { phase: "Failed", containerStatuses, conditions },
  };
}

const onCodes = (action: string, operator: string, values: number[], containerName?: string) => ({
  action,
  onExitCodes: { operator, values, ...(containerName === undefined ? {} : { containerName }) },
});
const onCondition = (action: string) => ({ action, onPodConditions: [{ type: "DisruptionTarget", status: "True" }] });
const disrupted = [{ type: "DisruptionTarget", status: "True" }];

// Cases of TestMatchPodFailurePolicy in pkg/controller/job/pod_failure_policy_test.go
const failures: readonly { title: string; rules: object[]; pod: KubeObject; action: string; message?: string }[] = [
  {
    title: "an exit code fails the Job",
    rules: [onCodes("FailJob", "In", [1, 2, 3])],
    pod: failedPod({ main: 2 }),
    action: "FailJob",
    message: "Container main for pod default/mypod failed with exit code 2 matching FailJob rule at index 0",
  },
  {
    title: "the rule that matches is named",
    rules: [onCodes("Ignore", "In", [8]), onCodes("FailJob", "NotIn", [5, 6])],
    pod: failedPod({ main: 42 }),
    action: "FailJob",
    message: "Container main for pod default/mypod failed with exit code 42 matching FailJob rule at index 1",
  },
  {
    title: "another container is not asked for",
    rules: [onCodes("FailJob", "In", [2], "main")],
    pod: failedPod({ side: 2 }),
    action: "none",
  },
  {
    title: "0 is no failure even when it is not in the list",
    rules: [onCodes("FailJob", "NotIn", [5])],
    pod: failedPod({ main: 0 }),
    action: "none",
  },
  {
    title: "the first match counts",
    rules: [onCodes("Ignore", "In", [1]), onCodes("FailJob", "In", [1])],
    pod: failedPod({ main: 1 }),
    action: "Ignore",
  },
  {
    title: "a condition fails the Job",
    rules: [onCondition("FailJob")],
    pod: failedPod({}, disrupted),
    action: "FailJob",
    message: "Pod default/mypod has condition DisruptionTarget matching FailJob rule at index 0",
  },
  { title: "a condition is ignored", rules: [onCondition("Ignore")], pod: failedPod({ main: 137 }, disrupted), action: "Ignore" },
  { title: "a condition that is not there", rules: [onCondition("Ignore")], pod: failedPod({ main: 137 }), action: "none" },
  { title: "an index fails", rules: [onCodes("FailIndex", "In", [1])], pod: failedPod({ main: 1 }), action: "FailIndex" },
  { title: "a failure that counts", rules: [onCodes("Count", "In", [1])], pod: failedPod({ main: 1 }), action: "Count" },
];

for (const { title, rules, pod, action, message } of failures) {
  test(`podFailurePolicy: ${title}`, () => {
    const asked = job({ podFailurePolicy: { rules } });
    assert.equal(matchPodFailurePolicy(asked, pod).action, action);
    assert.equal(countsAsFailure(asked, pod), action !== "Ignore");
    assert.equal(failJobMessage(asked, [pod]), message);
  });
}

// Cases of TestMatchSuccessPolicy in pkg/controller/job/success_policy_test.go
for (const [title, rules, succeeded, expected] of [
  ["no rules", [], "0", undefined],
  ["indexes that cannot be read", [{ succeededIndexes: "invalid-form" }], "0", undefined],
  ["all indexes of a rule", [{ succeededIndexes: "0-2" }], "0-2,4-7", 0],
  ["not its index", [{ succeededIndexes: "3" }], "0-2", undefined],
  ["enough of any", [{ succeededCount: 2 }], "0-2", 0],
  ["not enough of any", [{ succeededCount: 4 }], "0-2", undefined],
  ["the second rule", [{ succeededIndexes: "9" }, { succeededIndexes: "4,6" }], "0-2,4-7", 1],
  ["the first of two", [{ succeededIndexes: "0,1" }, { succeededIndexes: "5" }], "0-2,4-7", 0],
  ["enough of some", [{ succeededIndexes: "3-6", succeededCount: 2 }], "0-2,4-7", 0],
  ["not enough of some", [{ succeededIndexes: "6-9", succeededCount: 3 }], "0-2,4-7", undefined],
] as const) {
  test(`successPolicy: ${title}`, () => {
    const asked = job({ completions: 10, successPolicy: { rules } });
    const message = expected === undefined ? undefined : `Matched rules at index ${expected}`;
    assert.equal(matchSuccessPolicy(asked, parseIntervals(succeeded, 10)), message);
  });
}
