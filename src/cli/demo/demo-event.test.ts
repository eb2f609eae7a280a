import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import { plainPaint } from "../../view/index.ts";
import { summaryEvent, reportEvent, workloadEvent, type DemoEvent } from "./demo-event.ts";
import { demoEventLine } from "./demo-event-line.ts";

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

const cases: readonly (readonly [string, DemoEvent | undefined, string])[] = [
  ["a Job that is done", workloadEvent("east", job({ succeeded: 1, ...condition("Complete") })), "  1.5s  east  succeeded  job/table"],
  ["a Job that runs", workloadEvent("east", job({ active: 1 })), "  1.5s  east  waiting    job/table: 0 of 1 completions"],
  [
    "a Job that failed",
    workloadEvent("east", job({ failed: 1, ...condition("Failed", { reason: "BackoffLimitExceeded", message: "too often" }) })),
    "  1.5s  east  failed     job/table: BackoffLimitExceeded: too often",
  ],
  ["an event", reportEvent(report("db")), "  1.5s  east  event      healthy: deployment/db matches"],
  ["an event of two", reportEvent(report("db", "web")), "  1.5s  east  event      healthy: deployment/db, deployment/web match"],
  ["a report of nothing", reportEvent(report()), ""],
  ["a profile", summaryEvent(summary(provisioned)), "  1.5s  east  deployed   service/web, for ClusterProfile web"],
  [
    "a profile of a trigger",
    summaryEvent(summary(provisioned, triggered)),
    "  1.5s  east  deployed   service/web, for EventTrigger when-healthy",
  ],
  ["a profile that is new", summaryEvent(summary({})), ""],
  ["a profile on its way", summaryEvent(summary({ featureSummaries: [{ featureID: "Resources", status: "Provisioning" }] })), ""],
  [
    "a profile that fails",
    summaryEvent(summary({ featureSummaries: [{ featureID: "Resources", status: "Failed", failureMessage: "no such ConfigMap" }] })),
    "  1.5s  east  failed     profile web: no such ConfigMap",
  ],
];

for (const [name, event, line] of cases) {
  test(name, () => assert.equal(event === undefined ? "" : demoEventLine(1500, event, plainPaint), line));
}
