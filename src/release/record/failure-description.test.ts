import assert from "node:assert/strict";
import { test } from "node:test";
import { failureDescription, failureReasonIn } from "./index.ts";

const refOf = (kind: string, name: string) => ({ group: "", version: "v1", kind, namespace: "shop", name });

test("a record says of every object that failed why it did", () => {
  const failures = [
    { ref: refOf("Deployment", "web"), because: "pod web-1: container c: ErrImagePull; it is tried again" },
    { ref: refOf("Job", "migrate"), because: "configmap/a: no such key" },
    { ref: refOf("ClusterRole", "system:web"), because: "forbidden" },
  ];
  const description = failureDescription("upgrade", "web", failures);
  assert.equal(
    description,
    'Upgrade "web" failed: deployment/web: pod web-1: container c: ErrImagePull; it is tried again; job/migrate: configmap/a: no such key; clusterrole/system:web: forbidden',
  );
  for (const { ref, because } of failures) assert.equal(failureReasonIn({ state: "failed", description }, ref), because);
  assert.equal(failureReasonIn({ state: "failed", description }, refOf("Deployment", "we")), undefined);
  assert.equal(failureReasonIn({ state: "deployed", description }, failures[0]!.ref), undefined);
});
