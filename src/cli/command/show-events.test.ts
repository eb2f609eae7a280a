import assert from "node:assert/strict";
import { test } from "node:test";
import { testFolder, serveClusters } from "../../../test/support/command-line.ts";
import {
  fleetClusters,
  eventAbout,
  populateHub,
  openHub,
  sveltosObject,
  ownedByProfile,
  sveltosClusterReference,
} from "../../../test/support/fleet-objects.ts";
import type { KubeObject } from "../../core/object/index.ts";

const { kubeconfig, sluice } = await serveClusters(testFolder("show-events"));
const hub = await openHub(kubeconfig);

const sourceSpec = { resourceSelectors: [{ group: "", version: "v1", kind: "Service", evaluate: "function evaluate() return {} end" }] };
const services = sveltosObject("EventSource", "services", "", {
  spec: sourceSpec,
  status: {
    matchingResources: 1,
    clusterInfo: [
      {
        cluster: sveltosClusterReference("east"),
        matchingResources: 1,
        lastEvaluationTime: "2026-01-05T10:00:00Z",
        failures: [
          { resource: { apiVersion: "v1", kind: "Service", namespace: "shop", name: "bad" }, message: "evaluate returned the number 5" },
        ],
      },
      { cluster: sveltosClusterReference("west"), matchingResources: 0 },
    ],
  },
});
const tenant = sveltosObject(
  "EventTrigger",
  "tenant",
  "",
  { spec: { sourceClusterSelector: {}, eventSourceName: "services" } },
  { labels: { "projectsveltos.io/admin-name": "eve" } },
);
const summary = sveltosObject(
  "ClusterSummary",
  "web-sveltos-west",
  "fleet",
  {
    spec: { clusterNamespace: "fleet", clusterName: "west", clusterType: "Sveltos", clusterProfileSpec: {} },
    status: {
      featureSummaries: [
        { featureID: "Resources", status: "Failed", hash: "YQ==", failureMessage: "no matches for kind Foo", consecutiveFailures: 3 },
      ],
    },
  },
  ownedByProfile("web"),
);

const objects: readonly KubeObject[] = [
  ...fleetClusters,
  sveltosObject("ClusterProfile", "web", "", { spec: {} }),
  services,
  tenant,
  summary,
  eventAbout(summary, "told", {
    type: "Warning",
    reason: "DeployFailed",
    message: "no matches for kind Foo",
    lastTimestamp: "2026-01-05T11:00:00Z",
    count: 3,
  }),
  eventAbout(fleetClusters[1]!, "welcome", {
    type: "Normal",
    reason: "Connected",
    message: "it answers",
    lastTimestamp: "2026-01-05T09:00:00Z",
    count: 1,
  }),
  eventAbout(services, "foreign", { message: "not ours" }, "kubelet"),
];

test("without the CRDs of a fleet there are no events", async () => {
  assert.deepEqual(await sluice("show", "events"), { code: 0, out: "", err: "nothing to tell" });
  assert.deepEqual(await sluice("show", "events", "--failed"), { code: 0, out: "", err: "no failures" });
  await populateHub(hub, objects);
});

test("show events: failures of statuses, refusals and Events in one list, each once", async () => {
  const { code, out } = await sluice("show", "events");
  assert.equal(code, 0);
  const rows = out.split("\n").map((line) => line.split(/ {2,}/));
  assert.deepEqual(rows[0], ["AGE", "STATE", "OBJECT", "CLUSTER", "REASON", "MESSAGE"]);
  const withoutAge = rows.slice(1).map(([, ...rest]) => rest);
  assert.deepEqual(withoutAge, [
    ["noted", "sveltoscluster/east", "fleet/east", "Connected", "it answers"],
    ["failing", "eventsource/services", "fleet/east", "EvaluationFailed", "Service shop/bad: evaluate returned the number 5"],
    ["failing", "clustersummary/web-sveltos-west", "fleet/west", "ResourcesFailed", "no matches for kind Foo (3 times)"],
    [
      "failing",
      "eventtrigger/tenant",
      "Refused",
      "not built into Sluice, therefore nothing is deployed: metadata.labels[projectsveltos.io/admin-name]",
    ],
  ]);
});

test("show events: only failures, of one cluster, as data", async () => {
  const { out } = await sluice("show", "events", "--failed", "--cluster", "east", "-o", "json");
  const found = JSON.parse(out) as { object: { name: string } }[];
  assert.deepEqual(
    found.map(({ object }) => object.name),
    ["services", "tenant"],
  );
  assert.deepEqual(found[0], {
    time: "2026-01-05T10:00:00Z",
    state: "failing",
    object: { kind: "EventSource", namespace: "", name: "services" },
    cluster: { type: "Sveltos", namespace: "fleet", name: "east" },
    reason: "EvaluationFailed",
    message: "Service shop/bad: evaluate returned the number 5",
  });
});

test("show events: a cluster that is not there", async () => {
  assert.deepEqual(await sluice("show", "events", "--cluster", "nowhere"), {
    code: 1,
    out: "",
    err: "error: there is no cluster nowhere: sluice show clusters lists them",
  });
  assert.equal((await sluice("show", "events", "extra")).code, 2);
});
