import assert from "node:assert/strict";
import { test } from "node:test";
import { ownedByProfile, sveltosObject } from "../../../test/support/fleet-objects.ts";
import type { ObjectMeta } from "../../core/object/index.ts";
import { summaryStateOf } from "./summary-state.ts";

const content = { policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "a" }] };

function stateOf(status: object, clusterProfileSpec: object = content, metadata: Partial<ObjectMeta> = {}): string {
  const spec = { clusterNamespace: "fleet", clusterName: "east", clusterType: "Sveltos", clusterProfileSpec };
  const summary = sveltosObject("ClusterSummary", "web-sveltos-east", "fleet", { spec, status }, { ...ownedByProfile("web"), ...metadata });
  const { state, reason } = summaryStateOf(summary);
  return reason === undefined ? state : `${state}: ${reason}`;
}

const feature = (status: string, failureMessage?: string) => ({
  featureSummaries: [{ featureID: "Resources", status, ...(failureMessage === undefined ? {} : { failureMessage }) }],
});

const cases: readonly (readonly [Parameters<typeof stateOf>, string])[] = [
  [[feature("Provisioned")], "ready"],
  [[{}], "progressing: Resources is not deployed yet"],
  [[{}, {}], "ready"],
  [[feature("Provisioning")], "progressing: Resources is Provisioning"],
  [[feature("Provisioning", "no such chart")], "failed: no such chart"],
  [[feature("Failed", "forbidden")], "failed: forbidden"],
  [[feature("FailedNonRetriable")], "failed: its status is FailedNonRetriable"],
  [
    [{ ...feature("Provisioned"), observedGeneration: 1 }, content, { generation: 2 }],
    "progressing: its latest change is not deployed yet",
  ],
  [[{ dependencies: "waiting: ClusterProfile db is not provisioned yet" }], "waiting: waiting: ClusterProfile db is not provisioned yet"],
  [[{ ...feature("Provisioned"), reconciliationSuspended: true, suspensionReason: "paused" }], "skipped: paused"],
  [[feature("Provisioned"), { ...content, syncMode: "DryRun" }], "skipped: it is in DryRun mode: nothing is deployed"],
  [[feature("Removing"), content, { deletionTimestamp: "2026-01-01T00:00:00Z" }], "progressing: it is being withdrawn"],
];

for (const [input, expected] of cases) test(expected, () => assert.equal(stateOf(...input), expected));
