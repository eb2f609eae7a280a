import assert from "node:assert/strict";
import { test } from "node:test";
import type { MatchFailure } from "../evaluate/index.ts";
import { clusterInfoFor, buildEventSourceStatus } from "./index.ts";

const ref = { group: "", version: "v1", kind: "Service", namespace: "default", name: "web" };
const cluster = { type: "Sveltos", namespace: "mgmt", name: "c1" } as const;

test("clusterInfo counts matches and lists failures, those of the EventSource first", () => {
  const failures: MatchFailure[] = [
    { ref, reason: "CEL rule a: no such key: labels", effect: "skipped" },
    { ref, reason: "services:3: attempt to index field 'nothing'", effect: "kept" },
    { reason: "v1 Secret: forbidden", effect: "kept" },
  ];
  const resource = { apiVersion: "v1", kind: "Service", namespace: "default", name: "web" };
  assert.deepEqual(clusterInfoFor({ matches: [{ ref, message: "" }], failures, message: "" }, cluster), {
    cluster: { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", namespace: "mgmt", name: "c1" },
    matchingResources: 1,
    failures: [
      { message: "v1 Secret: forbidden" },
      { resource, message: "services:3: attempt to index field 'nothing' (its last verdict holds)" },
      { resource, message: "CEL rule a: no such key: labels", effect: "Skipped" },
    ],
  });
});

test("the list of failures and long messages are cut", () => {
  const failures = Array.from({ length: 50 }, (): MatchFailure => ({ ref, reason: "x".repeat(2000), effect: "skipped" }));
  const { failures: listed = [] } = clusterInfoFor({ matches: [], failures, message: "" });
  assert.equal(listed.length, 21);
  assert.equal(listed[0]?.message.length, 512);
  assert.deepEqual(listed.at(-1), { message: "30 more objects could not be judged", effect: "Skipped" });
});

test("matchingResources is the sum over all clusters", () => {
  const infos = [2, 3].map((count) => ({ matchingResources: count }));
  assert.deepEqual(buildEventSourceStatus(4, infos), { observedGeneration: 4, matchingResources: 5, clusterInfo: infos });
  assert.deepEqual(buildEventSourceStatus(undefined, [], "spec: no"), { matchingResources: 0, failureMessage: "spec: no" });
});
