import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProfileClusterItem } from "../../../src/dashboard/api/index.ts";
import { failureGroups } from "./failure-groups.ts";

const cluster = (name: string, state: ProfileClusterItem["state"], reason?: number): ProfileClusterItem => ({
  type: "cluster",
  key: `SveltosCluster/f/${name}`,
  kind: "SveltosCluster",
  namespace: "f",
  name,
  state,
  phase: "updating",
  ...(reason === undefined ? {} : { reason }),
});
const reasons = [
  { type: "reason", number: 0, text: "pull failed in {cluster}" },
  { type: "reason", number: 1, text: "{cluster} is full" },
  { type: "reason", number: 2, text: "Helm is Provisioning" },
] as const;

test("clusters with the same failure are one entry; failures come first, then what is most common", () => {
  const clusters = [
    cluster("d", "progressing", 2),
    cluster("e", "progressing", 2),
    cluster("g", "progressing", 2),
    cluster("b", "failed", 0),
    cluster("a", "failed", 0),
    cluster("c", "failed", 1),
    cluster("h", "ready"),
  ];
  assert.deepEqual(
    failureGroups(clusters, reasons).map(({ state, reason, clusters: own }) => [state, reason, own.map(({ name }) => name).join("")]),
    [
      ["failed", "pull failed in the cluster", "ab"],
      ["failed", "f/c is full", "c"],
      ["progressing", "Helm is Provisioning", "deg"],
    ],
  );
});
