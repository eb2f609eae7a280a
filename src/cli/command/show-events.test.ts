import assert from "node:assert/strict";
import { test } from "node:test";
import { testFolder, serveClusters } from "../../../test/support/command-line.ts";
import {
  fleetClusters,
  controllerLease,
  createObjects,
  eventAbout,
  populateHub,
  openHub,
  sveltosObject,
  ownedByProfile,
  sveltosClusterReference,
} from "../../../test/support/fleet-objects.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { plainPaint } from "../../view/index.ts";
import { showEvents } from "./show-events.ts";

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
const unbuilt = sveltosObject("EventTrigger", "unbuilt", "", {
  spec: { sourceClusterSelector: {}, eventSourceName: "services", kustomizationRefs: [{ kind: "ConfigMap", name: "a", namespace: "b" }] },
});
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
  unbuilt,
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

test("show events: a fleet without failures, and one without a controller", async () => {
  await populateHub(hub, []);
  assert.deepEqual(await sluice("show", "events"), { code: 0, out: "", err: "nothing is wrong now: --all shows what was" });
  assert.deepEqual(await sluice("show", "events", "--all"), { code: 0, out: "", err: "nothing to tell" });
  assert.deepEqual(await sluice("show", "events", "--failed"), { code: 0, out: "", err: "no failures" });
  const lease = controllerLease(hub.clock.now());
  await hub.delete(refOf(lease));
  const [found] = JSON.parse((await sluice("show", "events", "-o", "json")).out) as [{ reason: string; message: string; state: string }];
  assert.deepEqual([found.state, found.reason], ["failing", "NoController"]);
  assert.match(found.message, /^no controller is running \(there is no Lease of one\), .*: start one with sluice controller/);
  await hub.create(lease);
  await createObjects(hub, objects);
});

test("show events: what is wrong now alone", async () => {
  const { out } = await sluice("show", "events");
  assert.deepEqual(
    out.split("\n").map((line) => line.split(/ {2,}/)[2]),
    ["OBJECT", "eventsource/services", "clusterprofile/web", "eventtrigger/unbuilt"],
  );
  const only = async (...flags: string[]) =>
    (JSON.parse((await sluice("show", "events", ...flags, "-o", "json")).out) as { object: { name: string } }[]).map(
      ({ object }) => object.name,
    );
  assert.deepEqual(await only("--profile", "ClusterProfile/web"), ["web"]);
  assert.deepEqual(await only("--cluster", "fleet/west"), ["web", "unbuilt"]);
  assert.deepEqual(await only("--since", "1h"), ["unbuilt"]);
});

test("show events: failures of statuses, refusals and Events in one list, each once", async () => {
  const { code, out } = await sluice("show", "events", "--all");
  assert.equal(code, 0);
  const rows = out.split("\n").map((line) => line.split(/ {2,}/));
  assert.deepEqual(rows[0], ["AGE", "STATE", "OBJECT", "CLUSTERS", "REASON", "MESSAGE"]);
  const withoutAge = rows.slice(1).map(([, ...rest]) => rest);
  assert.deepEqual(withoutAge, [
    ["noted", "sveltoscluster/east", "fleet/east", "Connected", "it answers"],
    ["failing", "eventsource/services", "fleet/east", "EvaluationFailed", "Service shop/bad: evaluate returned the number 5"],
    ["failing", "clusterprofile/web", "fleet/west", "ResourcesFailed", "no matches for kind Foo (3 times)"],
    ["failing", "eventtrigger/unbuilt", "Refused", "not built into Sluice, therefore nothing is deployed: spec.kustomizationRefs"],
  ]);
});

test("show events: only failures, of one cluster, as data", async () => {
  const { out } = await sluice("show", "events", "--failed", "--cluster", "east", "-o", "json");
  const found = JSON.parse(out) as { object: { name: string } }[];
  assert.deepEqual(
    found.map(({ object }) => object.name),
    ["services", "unbuilt"],
  );
  assert.deepEqual(found[0], {
    time: "2026-01-05T10:00:00Z",
    state: "failing",
    object: { kind: "EventSource", namespace: "", name: "services" },
    cluster: { type: "Sveltos", namespace: "fleet", name: "east" },
    clusters: [{ type: "Sveltos", namespace: "fleet", name: "east" }],
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
  assert.equal(
    (await sluice("show", "events", "--profile", "nobody")).err,
    "error: there is no profile nobody: sluice show usage lists them",
  );
  assert.equal((await sluice("show", "events", "extra")).code, 2);
  assert.equal((await sluice("show", "events", "--since", "soon")).code, 2);
});

test("show events --watch: the list, then what appears and what has healed, until it is ended", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const waiting = new Map<string, () => void>();
  const out = (line: string) => {
    lines.push(line);
    for (const [text, resolve] of waiting) if (lines.some((each) => each.includes(text))) resolve();
  };
  const printed = (text: string) => new Promise<void>((resolve) => void waiting.set(text, resolve));
  const first = printed("eventtrigger/unbuilt");
  const options = { kubeconfig, failed: true, all: false, watch: true, output: "table" } as const;
  const following = showEvents(options, { out, err: assert.fail, paint: plainPaint }, stop.signal);
  await first;
  const appears = printed("clusterprofile/other");
  const other = await hub.create(sveltosObject("ClusterProfile", "other", "", { spec: { clusterSelector: {} } }));
  const failing = await hub.replace({ ...other, status: { failureMessage: "not today" } }, { subresource: "status" });
  await appears;
  const heals = printed("healed");
  await hub.replace({ ...failing, status: {} }, { subresource: "status" });
  await heals;
  stop.abort(new Error("ended"));
  await assert.rejects(following, /ended/);
  assert.match(lines[0] ?? "", /^AGE +STATE/);
  assert.deepEqual(
    lines.slice(-2).map((line) => line.split(/ {2,}/).slice(1)),
    ["failing", "healed"].map((state) => [state, "clusterprofile/other", "Failed", "not today"]),
  );
});
