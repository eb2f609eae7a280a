import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFor } from "../../../core/fault/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { failureMessageOf } from "./read-result.ts";
import { readClusterSet, readClusterSummary, readProfile } from "./profile.ts";

const object = (kind: string, spec?: object): KubeObject => ({
  apiVersion: "config.projectsveltos.io/v1alpha1",
  kind,
  metadata: { name: "case", namespace: "eng" },
  ...(spec !== undefined && { spec }),
});

test("a profile of either generation", () => {
  for (const clusterSelector of ["env=prod", { matchLabels: { env: "prod" } }]) {
    const reading = readProfile(object("Profile", { clusterSelector, setRefs: ["a"], dependsOn: ["b"], syncMode: "DryRun" }));
    assert.ok(reading.state === "read");
    const { kind, setRefs, dependsOn, syncMode, stopMatchingBehavior } = reading.value;
    assert.deepEqual(reading.value.clusterSelector, { matchLabels: { env: "prod" } });
    assert.deepEqual([kind, setRefs, dependsOn, syncMode, stopMatchingBehavior], ["Profile", ["a"], ["b"], "DryRun", "WithdrawPolicies"]);
  }
});

test("a profile without a spec selects and deploys nothing", () => {
  const reading = readProfile(object("ClusterProfile"));
  assert.ok(reading.state === "read");
  assert.deepEqual([reading.value.kind, reading.value.clusterSelector, reading.value.policyRefs], ["ClusterProfile", {}, []]);
});

test("a profile with problems and with fields that are not built", () => {
  const reading = readProfile(object("Profile", { tier: 0, syncMode: "Never", continueOnError: true, dependsOn: [1], maxUpdate: "x" }));
  assert.ok(reading.state === "invalid");
  assert.deepEqual(reading.problems.map(lineFor).toSorted(), [
    "spec.dependsOn[0]: found 1, expected a string",
    'spec.maxUpdate: found "x", expected an integer or text like ^((100|[0-9]{1,2})%|[0-9]+)$',
    'spec.syncMode: found "Never", expected one of OneTime, Continuous, ContinuousWithDriftDetection, DryRun',
    "spec.tier: found 0, expected an integer of at least 1",
  ]);
  assert.deepEqual(reading.refused, ["spec.continueOnError"]);
});

test("a misspelt field is unknown, not one that is not built", () => {
  const reading = readProfile(object("ClusterProfile", { clusterSelector: { matchLabel: { env: "fv" } }, policyRef: [{ name: "a" }] }));
  assert.equal(
    failureMessageOf(reading),
    "spec.policyRef: unknown field: did you mean policyRefs?\nspec.clusterSelector.matchLabel: unknown field: did you mean matchLabels?",
  );
});

test("sets", () => {
  const reading = readClusterSet(object("Set", { clusterSelector: "env=prod", maxReplicas: 2 }));
  assert.ok(reading.state === "read");
  const { metadata, ...rest } = reading.value;
  assert.equal(metadata.name, "case");
  assert.deepEqual(rest, { kind: "Set", clusterSelector: { matchLabels: { env: "prod" } }, clusterRefs: [], maxReplicas: 2 });
  const bare = readClusterSet(object("ClusterSet"));
  assert.ok(bare.state === "read");
  assert.deepEqual([bare.value.kind, bare.value.maxReplicas], ["ClusterSet", 0]);
});

test("a summary carries the profile in its normal form", () => {
  const spec = { clusterName: "c1", clusterNamespace: "mgmt", clusterType: "Sveltos" };
  const reading = readClusterSummary(
    object("ClusterSummary", { ...spec, clusterProfileSpec: { clusterSelector: "env=prod", reloader: true } }),
  );
  assert.ok(reading.state === "read");
  assert.deepEqual(reading.value.cluster, { type: "Sveltos", namespace: "mgmt", name: "c1" });
  assert.deepEqual(reading.value.profile.clusterSelector, { matchLabels: { env: "prod" } });
  assert.deepEqual(reading.refused, ["spec.clusterProfileSpec.reloader"]);
  const bare = readClusterSummary(object("ClusterSummary", spec));
  assert.ok(bare.state === "read");
  assert.equal(bare.value.profile.tier, 100);
  assert.equal(readClusterSummary(object("ClusterSummary", { ...spec, clusterType: "sveltos" })).state, "invalid");
});
