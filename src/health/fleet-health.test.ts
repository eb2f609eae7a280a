import assert from "node:assert/strict";
import test from "node:test";
import type { Fields } from "../core/object/index.ts";
import { assess, type Health } from "./index.ts";

type Row = readonly [what: string, parts: { readonly spec?: Fields; readonly status?: Fields; readonly metadata?: Fields }, expect: string];

const seen = { observedGeneration: 2 };
const c1 = { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", namespace: "mgmt", name: "c1" };
const c2 = { ...c1, name: "c2" };
const suspended = { reconciliationSuspended: true, suspensionReason: "the profile is paused" };
const holds = (type: string, message: string) => ({ conditions: [{ type, status: "True", reason: type, message }] });
const policyRefs = { clusterProfileSpec: { policyRefs: [{ kind: "ConfigMap", name: "a" }] } };
const feature = (status: string, rest: Fields = {}) => ({ featureSummaries: [{ featureID: "Resources", status, ...rest }] });
const info = (status: string, rest: Fields = {}) => ({ cluster: c1, hash: "", status, ...rest });

const profile: readonly Row[] = [
  ["nobody has seen", {}, "progressing: no status yet"],
  ["is not observed", { status: { observedGeneration: 1, failureMessage: "old" } }, "progressing: generation 2 not yet observed"],
  ["is deployed", { status: { ...seen, matchingClusters: [c1] } }, "ready"],
  ["is deployed by Sveltos", { status: { matchingClusters: [c1], updatedClusters: {} } }, "ready"],
  ["is refused", { status: { ...seen, failureMessage: "spec.tier: expected a number" } }, "failed: spec.tier: expected a number"],
  [
    "fails in a cluster",
    { status: { ...seen, matchingClusters: [c1], failedClusters: [{ clusterRef: c1, failureMessage: "no such kind" }] } },
    "failed: mgmt/c1: no such kind",
  ],
  [
    "fails in two",
    { status: { ...seen, failedClusters: [c1, c2].map((clusterRef) => ({ clusterRef, failureMessage: "no such kind" })) } },
    "failed: mgmt/c1: no such kind (and 1 more)",
  ],
  ["is being deployed", { status: { ...seen, ...holds("Reconciling", "being deployed") } }, "progressing: being deployed"],
  [
    "is updated cluster by cluster",
    { status: { ...seen, matchingClusters: [c1, c2], updatingClusters: { clusters: [c2] }, updatedClusters: { clusters: [c1] } } },
    "progressing: 1 of 2 clusters updated",
  ],
  ["is paused", { status: { ...seen, ...suspended, failureMessage: "old" } }, "ready: suspended: the profile is paused"],
  [
    "is being deleted",
    { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] }, status: { failureMessage: "x" } },
    "progressing: being deleted, kept by the finalizers a/b",
  ],
  [
    "cannot be withdrawn",
    {
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] },
      status: holds("WithdrawalBlocked", "waiting: app-sveltos-c1 must be withdrawn first"),
    },
    "progressing: being deleted, kept by the finalizers a/b: waiting: app-sveltos-c1 must be withdrawn first",
  ],
];

const trigger: readonly Row[] = [
  ["nobody has seen", {}, "progressing: no status yet"],
  ["is provisioned", { status: { ...seen, clusterInfo: [info("Provisioned")] } }, "ready"],
  ["matches no cluster yet", { status: seen }, "ready"],
  ["is refused", { status: { ...seen, failureMessage: "spec.x is not built" } }, "failed: spec.x is not built"],
  [
    "fails in a cluster",
    { status: { clusterInfo: [info("Provisioned"), info("Failed", { cluster: c2, failureMessage: "EventSource e does not exist" })] } },
    "failed: mgmt/c2: EventSource e does not exist",
  ],
  ["fails without a word", { status: { clusterInfo: [info("FailedNonRetriable")] } }, "failed: mgmt/c1: FailedNonRetriable"],
  [
    "has no report yet",
    { status: { ...seen, clusterInfo: [info("Provisioning", { failureMessage: "there is no report yet" })] } },
    "progressing: mgmt/c1: there is no report yet",
  ],
  ["takes back", { status: { ...seen, clusterInfo: [info("Removing"), info("Removed")] } }, "progressing: mgmt/c1: Removing"],
  ["says something", { status: { ...seen, ...holds("NoMatchingCluster", "no cluster matches") } }, "ready: no cluster matches"],
];

/** By `apiVersion Kind`. Objects are at generation 2. */
const kinds: Readonly<Record<string, readonly Row[]>> = {
  "config.projectsveltos.io/v1beta1 ClusterProfile": profile,
  "config.projectsveltos.io/v1alpha1 Profile": profile,
  "lib.projectsveltos.io/v1beta1 EventTrigger": trigger,
  "lib.projectsveltos.io/v1alpha1 EventBasedAddOn": trigger,
  "lib.projectsveltos.io/v1beta1 EventSource": [
    ["nobody has seen", {}, "progressing: no status yet"],
    ["is used nowhere", { status: { ...seen, matchingResources: 0 } }, "ready"],
    ["is refused", { status: { ...seen, failureMessage: "spec.x is not built" } }, "failed: spec.x is not built"],
    [
      "cannot be evaluated",
      {
        status: { ...seen, clusterInfo: [{ cluster: c1, matchingResources: 0, failures: [{ message: "evaluate:1: unexpected symbol" }] }] },
      },
      "failed: mgmt/c1: evaluate:1: unexpected symbol",
    ],
    [
      "fails for an object",
      {
        status: {
          clusterInfo: [{ cluster: c1, failures: [{ resource: { kind: "Service", namespace: "a", name: "b" }, message: "boom" }] }],
        },
      },
      "failed: mgmt/c1: Service a/b: boom",
    ],
    [
      "has a rule that counts as false",
      { status: { ...seen, clusterInfo: [{ cluster: c1, failures: [{ effect: "Skipped", message: "no such key" }] }] } },
      "ready",
    ],
  ],
  "config.projectsveltos.io/v1beta1 ClusterSummary": [
    ["nobody has seen", { spec: policyRefs }, "progressing: no status yet"],
    ["is provisioned", { spec: policyRefs, status: feature("Provisioned") }, "ready"],
    ["has nothing to deploy", { spec: { clusterProfileSpec: {} }, status: { dependencies: "no dependencies" } }, "ready"],
    ["is at work", { spec: policyRefs, status: feature("Provisioning") }, "progressing: Resources: Provisioning"],
    ["has not begun", { spec: policyRefs, status: { dependencies: "no dependencies" } }, "progressing: Resources: not deployed yet"],
    [
      "waits for others",
      { spec: policyRefs, status: { dependencies: "waiting: ClusterProfile a is not deployed to this cluster" } },
      "progressing: waiting: ClusterProfile a is not deployed to this cluster",
    ],
    ["has failed", { spec: policyRefs, status: feature("Failed", { failureMessage: "bad" }) }, "failed: Resources: bad"],
    ["tries again", { spec: policyRefs, status: feature("Provisioning", { failureMessage: "bad" }) }, "failed: Resources: bad"],
    ["is refused", { status: { failureMessage: "spec.x is not built" } }, "failed: spec.x is not built"],
    [
      "has a release of another",
      { status: { helmReleaseSummaries: [{ releaseNamespace: "a", releaseName: "b", status: "Conflict", conflictMessage: "p has it" }] } },
      "failed: release a/b: p has it",
    ],
    ["is suspended", { spec: policyRefs, status: suspended }, "ready: suspended: the profile is paused"],
    [
      "runs dry",
      { spec: { clusterProfileSpec: { ...policyRefs.clusterProfileSpec, syncMode: "DryRun" } }, status: feature("Provisioning") },
      "ready: a dry run deploys nothing",
    ],
  ],
  "lib.projectsveltos.io/v1beta1 SveltosCluster": [
    ["nobody has seen", {}, "progressing: no status yet"],
    ["is healthy", { status: { ready: true, connectionStatus: "Healthy" } }, "ready"],
    ["is down", { status: { ready: true, connectionStatus: "Down", failureMessage: "refused" } }, "failed: it cannot be reached: refused"],
    ["was not reached yet", { status: { connectionFailures: 1, failureMessage: "refused" } }, "progressing: it cannot be reached: refused"],
    ["is not ready", { status: { ready: false, connectionFailures: 0 } }, "progressing: not ready yet"],
    ["is paused", { spec: { paused: true }, status: { connectionStatus: "Down" } }, "ready: suspended: spec.paused is true"],
  ],
  "lib.projectsveltos.io/v1beta1 ClusterSet": [
    ["nobody has seen", {}, "ready"],
    ["is refused", { status: { failureMessage: "bad" } }, "failed: bad"],
  ],
  "lib.projectsveltos.io/v1beta1 RoleRequest": [["fails", { status: { clusterInfo: [info("Failed")] } }, "failed: mgmt/c1: Failed"]],
  "lib.projectsveltos.io/v1beta1 Classifier": [["is there", { status: { clusterInfo: [info("Provisioned")] } }, "ready"]],
  "lib.projectsveltos.io/v1beta1 ClusterHealthCheck": [
    [
      "cannot be set up",
      { status: { clusterCondition: [{ clusterInfo: info("Failed", { failureMessage: "no agent" }) }] } },
      "failed: mgmt/c1: no agent",
    ],
    [
      "cannot tell anybody",
      {
        status: {
          clusterCondition: [
            {
              clusterInfo: info("Provisioned"),
              notificationSummaries: [{ name: "slack", status: "FailedToDeliver", failureMessage: "401" }],
            },
          ],
        },
      },
      "failed: mgmt/c1: notification slack: 401",
    ],
  ],
  "lib.projectsveltos.io/v1beta1 EventReport": [
    ["waits for its agent", { status: { phase: "WaitingForDelivery" } }, "ready"],
    ["could not be used", { status: { failureMessage: "bad" } }, "failed: bad"],
  ],
  "lib.projectsveltos.io/v1beta1 ResourceSummary": [["has found drift", { status: { resourcesChanged: true } }, "ready"]],
  "config.projectsveltos.io/v1beta1 ClusterReport": [["has no status", {}, "ready"]],
};

function textOf(health: Health): string {
  const why = health.state === "ready" ? health.note : health.because;
  return why === undefined ? health.state : `${health.state}: ${why}`;
}

test("the kinds of a fleet are as healthy as their statuses say", () => {
  const found = Object.entries(kinds).flatMap(([title, rows]) =>
    rows.map(([what, { metadata, ...rest }]) => {
      const [apiVersion = "", kind = ""] = title.split(" ");
      const object = { apiVersion, kind, metadata: { name: "it", generation: 2, ...metadata }, ...rest };
      return `${kind} that ${what} is ${textOf(assess(object, { hasStatus: true }))}`;
    }),
  );
  const expected = Object.entries(kinds).flatMap(([title, rows]) =>
    rows.map(([what, , expect]) => `${title.split(" ")[1]} that ${what} is ${expect}`),
  );
  assert.deepEqual(found, expected);
});

test("a kind whose definition has no status is ready by being there", () => {
  const object = { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "EventSource", metadata: { name: "it" } };
  assert.deepEqual(assess(object, { hasStatus: false }), { state: "ready" });
});
