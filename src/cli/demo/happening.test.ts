import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { plain } from "../../view/index.ts";
import { deploymentOf, eventOf, workloadIn, type Happening } from "./happening.ts";
import { happeningLine } from "./line.ts";

const job = (status: object): KubeObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "table", namespace: "todo" },
  spec: { completions: 1 },
  status,
});

const report = (...names: readonly string[]): KubeObject => ({
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind: "EventReport",
  metadata: { name: "sveltos--healthy--east", namespace: "default" },
  spec: {
    clusterName: "east",
    eventSourceName: "healthy",
    matchingResources: names.map((name) => ({ apiVersion: "apps/v1", kind: "Deployment", namespace: "todo", name })),
  },
});

/** As keepSummaries writes them. */
const summary = (status: object, labels: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: "config.projectsveltos.io/v1beta1",
  kind: "ClusterSummary",
  metadata: {
    name: "web-sveltos-east",
    namespace: "default",
    labels,
    ownerReferences: [{ apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", name: "web", uid: "1" }],
  },
  spec: { clusterName: "east" },
  status,
});

const provisioned = {
  featureSummaries: [{ featureID: "Resources", status: "Provisioned" }],
  releases: [{ objects: [{ group: "", version: "v1", kind: "Service", namespace: "todo", name: "web" }] }],
};
const triggered = {
  "eventtrigger.lib.projectsveltos.io/eventtriggername": "when-healthy",
  "eventtrigger.lib.projectsveltos.io/eventreportname": "healthy",
  "eventtrigger.lib.projectsveltos.io/clustername": "east",
  "eventtrigger.lib.projectsveltos.io/clusterNamespace": "default",
  "eventtrigger.lib.projectsveltos.io/clustertype": "Sveltos",
};
const condition = (type: string, more: object = {}) => ({ conditions: [{ type, status: "True", ...more }] });

const cases: readonly (readonly [string, Happening | undefined, string])[] = [
  ["a Job that is done", workloadIn("east", job({ succeeded: 1, ...condition("Complete") })), "  1.5s  east  succeeded  job/table"],
  ["a Job that runs", workloadIn("east", job({ active: 1 })), "  1.5s  east  waiting    job/table: 0 of 1 completions"],
  [
    "a Job that failed",
    workloadIn("east", job({ failed: 1, ...condition("Failed", { reason: "BackoffLimitExceeded", message: "too often" }) })),
    "  1.5s  east  failed     job/table: BackoffLimitExceeded: too often",
  ],
  ["an event", eventOf(report("db")), "  1.5s  east  event      healthy: deployment/db matches"],
  ["an event of two", eventOf(report("db", "web")), "  1.5s  east  event      healthy: deployment/db, deployment/web match"],
  ["a report of nothing", eventOf(report()), ""],
  ["a profile", deploymentOf(summary(provisioned)), "  1.5s  east  deployed   service/web, for ClusterProfile web"],
  [
    "a profile of a trigger",
    deploymentOf(summary(provisioned, triggered)),
    "  1.5s  east  deployed   service/web, for EventTrigger when-healthy",
  ],
  ["a profile that is new", deploymentOf(summary({})), ""],
  ["a profile on its way", deploymentOf(summary({ featureSummaries: [{ featureID: "Resources", status: "Provisioning" }] })), ""],
  [
    "a profile that fails",
    deploymentOf(summary({ featureSummaries: [{ featureID: "Resources", status: "Failed", failureMessage: "no such ConfigMap" }] })),
    "  1.5s  east  failed     profile web: no such ConfigMap",
  ],
];

for (const [name, happening, line] of cases) {
  test(name, () => assert.equal(happening === undefined ? "" : happeningLine(1500, happening, plain), line));
}
