import assert from "node:assert/strict";
import { test } from "node:test";
import { parseScenarioClusters } from "./scenario-clusters.ts";

const setup = `# cluster: management
kind: SveltosCluster
apiVersion: lib.projectsveltos.io/v1beta1
metadata:
  name: c1
  namespace: mgmt
  labels:
    env: fv          # scenario 05: env=production
---
kind: SveltosCluster
apiVersion: lib.projectsveltos.io/v1beta1
metadata:
  name: c2           # only in scenarios 01-06 (management cluster of lane A)
  namespace: mgmt
  labels:
    dep: eng
`;

const expected: Readonly<Record<number, object>> = {
  1: { c1: { env: "fv" }, c2: { dep: "eng" } },
  5: { c1: { env: "production" }, c2: { dep: "eng" } },
  6: { c1: { env: "fv" }, c2: { dep: "eng" } },
  7: { c1: { env: "fv" } },
};

for (const [scenario, clusters] of Object.entries(expected)) {
  test(`scenario ${scenario} begins with its clusters`, () => assert.deepEqual(parseScenarioClusters(setup, Number(scenario)), clusters));
}
