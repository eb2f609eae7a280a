import assert from "node:assert/strict";
import { test } from "node:test";
import { eventAbout, sveltosObject, ownedByProfile, sveltosClusterReference } from "../../../test/support/fleet-objects.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { clusterText } from "../../view/index.ts";
import type { Occurrence } from "./occurrence.ts";
import { filterOccurrences, occurrencesIn } from "./occurrences.ts";

/** `state kind/name @cluster reason: message`. */
function lineOf({ state, object, cluster, reason, message, count }: Occurrence): string {
  const where = cluster === undefined ? "" : ` @${clusterText(cluster)}`;
  return `${state} ${object.kind}/${object.name}${where} ${reason}: ${message}${count === undefined ? "" : ` x${count}`}`;
}

const east = sveltosClusterReference("east");
const spec = { sourceClusterSelector: {}, eventSourceName: "services" };
const summarySpec = { clusterNamespace: "fleet", clusterName: "east", clusterType: "Sveltos", clusterProfileSpec: {} };

function summary(status: object, profile = "web"): KubeObject {
  return sveltosObject("ClusterSummary", `${profile}-sveltos-east`, "fleet", { spec: summarySpec, status }, ownedByProfile(profile));
}

function trigger(status: object): KubeObject {
  return sveltosObject("EventTrigger", "policies", "", { spec, status });
}

function report(failureMessage: string): KubeObject {
  const body = { clusterName: "east", clusterNamespace: "fleet", clusterType: "sveltos", eventSourceName: "services" };
  return sveltosObject("EventReport", "sveltos--services--east", "fleet", { spec: body, status: { failureMessage } });
}

const failedProfile = sveltosObject("ClusterProfile", "web", "", {
  spec: {},
  status: { failedClusters: [{ clusterRef: east, failureMessage: "forbidden", lastFailureTime: "2026-01-01T00:00:00Z" }] },
});
const resourcesFailed = { featureSummaries: [{ featureID: "Resources", status: "Failed", failureMessage: "forbidden" }] };

const statuses: Readonly<Record<string, readonly [readonly KubeObject[], readonly string[]]>> = {
  "healthy objects have no occurrences": [
    [
      trigger({ clusterInfo: [{ cluster: east, hash: "YQ==", status: "Provisioned" }] }),
      summary({ dependencies: "no dependencies", featureSummaries: [{ featureID: "Helm", status: "Provisioned" }] }),
      sveltosObject("SveltosCluster", "east", "fleet", { spec: {}, status: { ready: true, connectionStatus: "Healthy" } }),
    ],
    [],
  ],
  "a trigger reports each cluster": [
    [
      trigger({
        clusterInfo: [
          { cluster: east, hash: "YQ==", status: "Failed", failureMessage: "no field x" },
          { cluster: sveltosClusterReference("west"), hash: "YQ==", status: "FailedNonRetriable" },
        ],
      }),
    ],
    [
      "failing EventTrigger/policies @fleet/east Failed: no field x",
      "failing EventTrigger/policies @fleet/west FailedNonRetriable: its status is FailedNonRetriable",
    ],
  ],
  "a RoleRequest reports each cluster, and why it is refused": [
    [
      sveltosObject("RoleRequest", "access", "", {
        spec: { serviceAccountName: "alice", serviceAccountNamespace: "eng", clusterSelector: {} },
        status: {
          clusterInfo: [{ cluster: east, hash: "YQ==", status: "FailedNonRetriable", failureMessage: "there is no ConfigMap a/b" }],
        },
      }),
      sveltosObject("RoleRequest", "bad", "", {
        spec: { serviceAccountName: "alice", serviceAccountNamespace: "a--b", clusterSelector: {} },
        status: { failureMessage: "its namespace has --" },
      }),
    ],
    [
      "failing RoleRequest/access @fleet/east FailedNonRetriable: there is no ConfigMap a/b",
      "failing RoleRequest/bad Failed: its namespace has --",
    ],
  ],
  "a failure that is being tried again is one": [
    [summary({ featureSummaries: [{ featureID: "Helm", status: "Provisioning", failureMessage: "no such chart" }] })],
    ["failing ClusterSummary/web-sveltos-east @fleet/east HelmFailed: no such chart"],
  ],
  "a ClusterSummary that is refused as a whole is listed for that, and not for what failed before": [
    [
      summary({
        ...resourcesFailed,
        failureMessage: "nothing is granted",
        helmReleaseSummaries: [{ releaseName: "shop", releaseNamespace: "web", status: "Conflict", conflictMessage: "taken" }],
      }),
    ],
    ["failing ClusterSummary/web-sveltos-east @fleet/east Failed: nothing is granted"],
  ],
  "releases report conflicts": [
    [summary({ helmReleaseSummaries: [{ releaseName: "shop", releaseNamespace: "web", status: "Conflict", conflictMessage: "taken" }] })],
    ["failing ClusterSummary/web-sveltos-east @fleet/east HelmConflict: release web/shop: taken"],
  ],
  "what waits and what is suspended is noted": [
    [
      summary({ dependencies: "waiting: ClusterProfile db is not provisioned yet" }),
      sveltosObject("Profile", "team", "fleet", { spec: {}, status: { reconciliationSuspended: true, suspensionReason: "paused" } }),
    ],
    [
      "noted ClusterSummary/web-sveltos-east @fleet/east WaitsForProfiles: waiting: ClusterProfile db is not provisioned yet",
      "noted Profile/team Suspended: paused",
    ],
  ],
  "what is refused or invalid is reported before its status is written": [
    [
      sveltosObject("ClusterProfile", "kustomized", "", { spec: { kustomizationRefs: [{ kind: "ConfigMap", name: "a" }] } }),
      sveltosObject("ClusterSet", "odd", "", { spec: { maxReplicas: "many" } }),
    ],
    [
      "failing ClusterProfile/kustomized Refused: not built into Sluice, therefore nothing is deployed: spec.kustomizationRefs",
      'failing ClusterSet/odd Invalid: spec.maxReplicas: found "many", expected an integer',
    ],
  ],
  "a status that repeats the refusal adds nothing": [
    [
      sveltosObject("ClusterProfile", "kustomized", "", {
        spec: { kustomizationRefs: [{ kind: "ConfigMap", name: "a" }] },
        status: { failureMessage: "not built into Sluice, therefore nothing is deployed: spec.kustomizationRefs" },
      }),
    ],
    ["failing ClusterProfile/kustomized Refused: not built into Sluice, therefore nothing is deployed: spec.kustomizationRefs"],
  ],
  "a cluster that is down": [
    [sveltosObject("SveltosCluster", "east", "fleet", { spec: {}, status: { connectionStatus: "Down", failureMessage: "no route" } })],
    ["failing SveltosCluster/east @fleet/east Failed: no route"],
  ],
  "a profile that repeats its summary": [
    [failedProfile, summary(resourcesFailed)],
    ["failing ClusterSummary/web-sveltos-east @fleet/east ResourcesFailed: forbidden"],
  ],
  "a profile whose summary reports nothing": [[failedProfile], ["failing ClusterProfile/web @fleet/east ClusterFailed: forbidden"]],
  "a summary and a report that a trigger reports": [
    [
      trigger({
        clusterInfo: [
          { cluster: east, hash: "", status: "Failed", failureMessage: "no field x\nClusterSummary sveltos-1-sveltos-east: forbidden" },
        ],
      }),
      summary(resourcesFailed, "sveltos-1"),
      report("no field x"),
    ],
    ["failing EventTrigger/policies @fleet/east Failed: no field x\nClusterSummary sveltos-1-sveltos-east: forbidden"],
  ],
  "a rule that counts as false is noted": [
    [
      sveltosObject("EventSource", "services", "", {
        spec: { resourceSelectors: [{ group: "", version: "v1", kind: "Service" }] },
        status: { clusterInfo: [{ cluster: east, failures: [{ effect: "Skipped", message: "no such key: x" }] }] },
      }),
    ],
    ["noted EventSource/services @fleet/east EvaluationFailed: no such key: x"],
  ],
  "a trigger that repeats its EventSource": [
    [
      sveltosObject("EventSource", "services", "", {
        spec: { resourceSelectors: [{ group: "", version: "v1", kind: "Service" }] },
        status: {
          clusterInfo: [{ cluster: east, failures: [{ message: "script.lua:1: no field x" }] }],
          conditions: [
            { type: "KindNotServed", status: "True", reason: "KindNotServed", message: "v1 Servce is not served by fleet/east" },
          ],
        },
      }),
      trigger({
        clusterInfo: [
          { cluster: east, hash: "", status: "Failed", failureMessage: "EventSource services: script.lua:1: no field x (and 1 more)" },
          { cluster: sveltosClusterReference("west"), hash: "", status: "Failed", failureMessage: "EventSource services: forbidden" },
        ],
        conditions: [{ type: "KindNotServed", status: "True", reason: "KindNotServed", message: "v1 Servce is not served by fleet/east" }],
      }),
    ],
    [
      "failing EventSource/services @fleet/east EvaluationFailed: script.lua:1: no field x",
      "failing EventSource/services KindNotServed: v1 Servce is not served by fleet/east",
      "failing EventTrigger/policies @fleet/west Failed: EventSource services: forbidden",
    ],
  ],
  "a report that no other object reports": [
    [report("no field x")],
    ["failing EventReport/sveltos--services--east @fleet/east Failed: no field x"],
  ],
};

for (const [what, [objects, lines]] of Object.entries(statuses)) {
  test(what, () => assert.deepEqual(occurrencesIn(objects, []).map(lineOf), lines));
}

const warning = (about: KubeObject, reason: string, message: string, count = 1): KubeObject =>
  eventAbout(about, "e", { type: "Warning", reason, message, count, lastTimestamp: "2026-01-05T10:00:00Z" });
const long = "x".repeat(2000);

const eventCases: Readonly<Record<string, readonly [readonly KubeObject[], readonly KubeObject[], readonly string[]]>> = {
  "an Event knows the reason and how often": [
    [trigger({ clusterInfo: [{ cluster: east, hash: "", status: "Failed", failureMessage: "no field x" }] })],
    [warning(trigger({}), "TemplateFailed", "no field x", 3)],
    ["failing EventTrigger/policies @fleet/east TemplateFailed: no field x x3"],
  ],
  "an Event with a location": [
    [failedProfile],
    [warning(failedProfile, "Failed", "fleet/east: forbidden")],
    ["failing ClusterProfile/web @fleet/east ClusterFailed: forbidden"],
  ],
  "an Event of one of several troubles": [
    [trigger({ clusterInfo: [{ cluster: east, hash: "", status: "Failed", failureMessage: "no field x\nno field y" }] })],
    [warning(trigger({}), "TemplateFailed", "no field y")],
    ["failing EventTrigger/policies @fleet/east TemplateFailed: no field x\nno field y"],
  ],
  "an Event that was cut short": [
    [trigger({ failureMessage: long })],
    [warning(trigger({}), "Refused", `here: ${long.slice(0, 1000)}…`)],
    [`failing EventTrigger/policies Refused: ${long}`],
  ],
  "the Event of an echo is one, too": [
    [failedProfile, summary(resourcesFailed)],
    [warning(failedProfile, "DeployFailed", "fleet/web-sveltos-east: forbidden")],
    ["failing ClusterSummary/web-sveltos-east @fleet/east ResourcesFailed: forbidden"],
  ],
  "what is over was a failure": [
    [summary({})],
    [warning(summary({}), "DeployFailed", "forbidden", 2)],
    ["failed ClusterSummary/web-sveltos-east @fleet/east DeployFailed: forbidden x2"],
  ],
  "an object that is gone can have an Event": [
    [],
    [warning(trigger({}), "TemplateFailed", "no field x")],
    ["failed EventTrigger/policies TemplateFailed: no field x"],
  ],
  "Events about other kinds are none of ours": [
    [],
    [warning({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "shop" } }, "Failed", "no")],
    [],
  ],
};

for (const [what, [objects, events, lines]] of Object.entries(eventCases)) {
  test(`Events: ${what}`, () => assert.deepEqual(occurrencesIn(objects, events).map(lineOf), lines));
}

const at = (name: string, lastTimestamp: string) =>
  eventAbout(sveltosObject("EventSource", name, "", {}), name, { message: "m", lastTimestamp });

test("newest last; what has no time comes first", () => {
  const events = [at("new", "2026-01-05T10:00:00Z"), at("old", "2026-01-04T10:00:00Z")];
  const names = occurrencesIn([trigger({ failureMessage: "wrong" })], events).map(({ object }) => object.name);
  assert.deepEqual(names, ["policies", "old", "new"]);
});

test("the time of a status is that of its last change", () => {
  const managedFields = [
    { subresource: "status", time: "2026-01-03T00:00:00Z" },
    { subresource: "status", time: "2026-01-04T00:00:00Z" },
    { time: "2026-01-05T00:00:00Z" },
  ];
  const changed = sveltosObject("EventTrigger", "t", "", { spec, status: { failureMessage: "wrong" } }, { managedFields });
  assert.equal(occurrencesIn([changed], [])[0]?.time, "2026-01-04T00:00:00Z");
});

const choices: readonly (readonly [Parameters<typeof filterOccurrences>[1], readonly string[]])[] = [
  [{ failed: false, all: false }, ["Profile/team", "EventTrigger/policies", "EventTrigger/policies", "ClusterSet/odd"]],
  [{ failed: true, all: true }, ["EventTrigger/policies", "EventTrigger/policies", "ClusterSet/odd"]],
  [{ failed: true, all: false, cluster: "west" }, ["EventTrigger/policies", "ClusterSet/odd"]],
  [{ failed: false, all: false, namespace: "elsewhere" }, ["ClusterSet/odd"]],
];

for (const [choice, names] of choices) {
  test(`chosen by ${JSON.stringify(choice)}`, () => {
    const objects = [
      sveltosObject("Profile", "team", "fleet", { spec: {}, status: { reconciliationSuspended: true } }),
      trigger({
        clusterInfo: ["east", "west"].map((name) => ({ cluster: sveltosClusterReference(name), hash: "", failureMessage: name })),
      }),
      sveltosObject("ClusterSet", "odd", "", { spec: { maxReplicas: "many" } }),
    ];
    const found = filterOccurrences(occurrencesIn(objects, []), choice).map(({ object }) => `${object.kind}/${object.name}`);
    assert.deepEqual(found, names);
  });
}
