import assert from "node:assert/strict";
import { test } from "node:test";
import { statusOfHeld } from "./profile-status.ts";

const profile = { apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", metadata: { name: "demo" } };
const cluster = (name: string) => ({ type: "Sveltos" as const, namespace: "mgmt", name });

test("a cluster is listed once among those that have failed, with all that is wrong there", () => {
  const failures = [
    { cluster: cluster("b"), message: "no such chart" },
    { cluster: cluster("a"), message: "forbidden" },
    { cluster: cluster("b"), message: "the name is taken" },
    { cluster: cluster("b"), message: "no such chart" },
  ];
  const { failedClusters } = statusOfHeld(profile, failures);
  assert.deepEqual(
    failedClusters?.map(({ clusterRef, failureMessage }) => [clusterRef.name, failureMessage]),
    [
      ["a", "forbidden"],
      ["b", "no such chart\nthe name is taken"],
    ],
  );
});
