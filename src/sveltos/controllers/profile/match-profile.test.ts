import assert from "node:assert/strict";
import { test } from "node:test";
import { readCluster, readProfile, type ManagedCluster } from "../../api/index.ts";
import { matchProfile } from "./match-profile.ts";

function cluster(namespace: string): ManagedCluster {
  const metadata = { name: "c", namespace, labels: { env: "prod" } };
  const reading = readCluster({ apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", metadata, status: { ready: true } });
  assert.ok(reading.state === "read");
  return reading.value;
}

const cases: Record<string, readonly [written: string | undefined, expected: readonly string[]]> = {
  "all namespaces without the annotation": [undefined, ["team-a", "team-b", "team-c"]],
  "those that it names": ["team-a, team-c", ["team-a", "team-c"]],
  "none when it is empty": ["", []],
};

for (const [what, [written, expected]] of Object.entries(cases)) {
  test(`a ClusterProfile selects clusters of ${what}, also those that it refers to`, () => {
    const reading = readProfile({
      apiVersion: "config.projectsveltos.io/v1beta1",
      kind: "ClusterProfile",
      metadata: { name: "p", ...(written !== undefined && { annotations: { "sluice.dev/cluster-namespaces": written } }) },
      spec: { clusterSelector: "env=prod", clusterRefs: [{ kind: "SveltosCluster", namespace: "team-b", name: "c" }] },
    });
    assert.ok(reading.state === "read");
    const clusters = ["team-a", "team-b", "team-c"].map(cluster);
    const view = { clusters: () => clusters, isKnown: () => true, sets: [], isDeployedTo: () => false };
    assert.deepEqual(
      matchProfile(reading.value, view)
        .map(({ namespace }) => namespace)
        .toSorted(),
      expected,
    );
  });
}
