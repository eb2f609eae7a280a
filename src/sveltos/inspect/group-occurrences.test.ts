import assert from "node:assert/strict";
import { test } from "node:test";
import { eventAbout, ownedByProfile, sveltosClusterReference, sveltosObject } from "../../../test/support/fleet-objects.ts";
import { originLabels } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { clusterText, type OccurrenceOutline } from "../../view/index.ts";
import { concernsProfile } from "./concerns-profile.ts";
import { groupByCause } from "./group-occurrences.ts";
import { filterOccurrences, occurrencesIn } from "./occurrences.ts";

/** `state kind/name @clusters reason: message`. */
function lineOf({ state, object, clusters, reason, message, count }: OccurrenceOutline): string {
  const where = clusters.length === 0 ? "" : ` @${clusters.map(clusterText).join(",")}`;
  return `${state} ${object.kind}/${object.name}${where} ${reason}: ${message}${count === undefined ? "" : ` x${count}`}`;
}

function summary(cluster: string, failureMessage: string, profile = "web", labels = {}): KubeObject {
  const spec = { clusterNamespace: "fleet", clusterName: cluster, clusterType: "Sveltos", clusterProfileSpec: {} };
  const status = failureMessage === "" ? {} : { featureSummaries: [{ featureID: "Helm", status: "Failed", failureMessage }] };
  return sveltosObject(
    "ClusterSummary",
    `${profile}-sveltos-${cluster}`,
    "fleet",
    { spec, status },
    { ...ownedByProfile(profile), labels },
  );
}

function generated(cluster: string, name: string): KubeObject {
  const labels = originLabels({
    trigger: "policies",
    eventSource: "services",
    cluster: { type: "Sveltos", namespace: "fleet", name: cluster },
  });
  return summary(cluster, `ConfigMap ${name}: forbidden`, name, labels);
}

const profile = sveltosObject("ClusterProfile", "web", "", { spec: {}, status: { matchingClusters: [sveltosClusterReference("down")] } });
const failure = (name: string) => ({ resource: { kind: "Service", namespace: "shop", name }, message: "script.lua:1: no such field" });
const source = sveltosObject("EventSource", "services", "", {
  spec: { resourceSelectors: [{ group: "", version: "v1", kind: "Service" }] },
  status: {
    clusterInfo: [
      { cluster: sveltosClusterReference("east"), failures: [failure("a"), failure("b")] },
      { cluster: sveltosClusterReference("west"), failures: [failure("a")] },
    ],
  },
});
const down = (name: string, failureMessage = "no route") =>
  sveltosObject("SveltosCluster", name, "fleet", { spec: {}, status: { connectionStatus: "Down", failureMessage } });
const condition = (type: string, status: string, reason: string, message: string) => ({ type, status, reason, message });

type Case = { readonly objects: readonly KubeObject[]; readonly events?: readonly KubeObject[]; readonly lines: readonly string[] };

const warning = (about: KubeObject, message: string) =>
  eventAbout(about, "e", { type: "Warning", reason: "DeployFailed", message, count: 2, lastTimestamp: "2026-01-05T10:00:00Z" });

const cases: Readonly<Record<string, Case>> = {
  "a cause in several clusters is one line, of the profile": {
    objects: [profile, summary("west", "no such chart"), summary("east", "no such chart"), summary("north", "forbidden")],
    lines: [
      "failing ClusterProfile/web @fleet/east,fleet/west HelmFailed: no such chart",
      "failing ClusterProfile/web @fleet/north HelmFailed: forbidden",
    ],
  },
  "names of what was made for a cluster do not make another cause": {
    objects: [summary("east", "web-sveltos-east in fleet/east: forbidden"), summary("west", "web-sveltos-west in fleet/west: forbidden")],
    lines: ["failing ClusterProfile/web @fleet/east,fleet/west HelmFailed: web-sveltos-east in fleet/east: forbidden"],
  },
  "what a trigger has generated is told of the trigger": {
    objects: [generated("east", "sveltos-0123456789abcdefghij"), generated("west", "sveltos-abcdefghij0123456789")],
    lines: ["failing EventTrigger/policies @fleet/east,fleet/west HelmFailed: ConfigMap sveltos-0123456789abcdefghij: forbidden"],
  },
  "objects that a script fails for in the same way": {
    objects: [source],
    lines: [
      "failing EventSource/services @fleet/east,fleet/west EvaluationFailed: Service shop/a: script.lua:1: no such field (and 1 more)",
    ],
  },
  "clusters that are down for the same reason": {
    objects: [
      down("one", "nothing answers at https://10.0.0.1:6443 (timed out)"),
      down("two", "nothing answers at https://10.0.0.2:6443 (timed out)"),
      down("three"),
    ],
    lines: [
      "failing SveltosCluster/one @fleet/one,fleet/two Failed: nothing answers at https://10.0.0.1:6443 (timed out)",
      "failing SveltosCluster/three @fleet/three Failed: no route",
    ],
  },
  "conditions that hold": {
    objects: [
      sveltosObject("ClusterProfile", "idle", "", {
        spec: {},
        status: {
          conditions: [
            condition("Reconciling", "True", "Deploying", "being deployed"),
            condition("NoMatchingCluster", "True", "NoMatchingCluster", "no cluster has the labels env=prd"),
            condition("WithdrawalBlocked", "True", "WaitingForDependents", "web depends on it"),
            condition("Stalled", "False", "Fine", "not stalled"),
            condition("Ready", "False", "", "not ready"),
          ],
        },
      }),
    ],
    lines: [
      "noted ClusterProfile/idle NoMatchingCluster: no cluster has the labels env=prd",
      "failing ClusterProfile/idle WaitingForDependents: web depends on it",
      "failing ClusterProfile/idle Ready: not ready",
    ],
  },
  "an Event of the profile that tells of its ClusterSummary is the same": {
    objects: [profile, summary("east", "no such chart")],
    events: [warning(profile, "fleet/web-sveltos-east: no such chart")],
    lines: ["failing ClusterProfile/web @fleet/east HelmFailed: no such chart"],
  },
  "what has healed was a failure, with its cluster": {
    objects: [profile, summary("east", "")],
    events: [warning(profile, "fleet/web-sveltos-east: no such chart"), warning(summary("east", ""), "no such chart")],
    lines: ["failed ClusterProfile/web @fleet/east DeployFailed: no such chart x4"],
  },
};

for (const [what, { objects, events = [], lines }] of Object.entries(cases))
  test(what, () => assert.deepEqual(groupByCause(occurrencesIn(objects, events), objects).map(lineOf), lines));

test("a withdrawal that is blocked is told with the clusters in which it is", () => {
  const message = "what it has deployed cannot be withdrawn: cluster fleet/east cannot be reached; cluster fleet/west cannot be reached";
  const condition = { type: "WithdrawalBlocked", status: "True", reason: "ClusterNotReady", message };
  const blocked = { ...profile, status: { conditions: [condition] } };
  const leaving = ["east", "west"].map((cluster) => {
    const object = summary(cluster, "");
    return { ...object, metadata: { ...object.metadata, deletionTimestamp: "2026-01-05T10:00:00Z" } };
  });
  const objects = [blocked, ...leaving, summary("north", "")];
  assert.deepEqual(groupByCause(occurrencesIn(objects, []), objects).map(lineOf), [
    `failing ClusterProfile/web @fleet/east,fleet/west ClusterNotReady: ${message}`,
  ]);
});

test("a conflict with a generated profile names the trigger that has made it", () => {
  const made = "sveltos-0123456789abcdefghij";
  const text = "Object ConfigMap:default/a currently deployed.\n Sveltos instance currently deploying this resource: ClusterProfile ";
  const objects = [profile, summary("east", `${text}${made};\n`), generated("east", made)];
  const lines = groupByCause(occurrencesIn(objects, []), objects).map(({ message }) => message);
  assert.ok(lines.includes(`${text}${made} (made by EventTrigger policies);\n`), lines.join());
});

test("what has healed is listed with the history only; a time says how far back", () => {
  const objects = [profile, summary("east", "")];
  const occurrences = occurrencesIn(objects, [warning(summary("east", ""), "no such chart")]);
  const count = (choice: object) => filterOccurrences(occurrences, { failed: false, all: true, ...choice }).length;
  assert.deepEqual([count({}), count({ all: false })], [1, 0]);
  const at = Date.parse("2026-01-05T10:00:00Z");
  assert.deepEqual([count({ sinceMs: at }), count({ sinceMs: at + 1 })], [1, 0]);
});

test("what concerns a profile: itself, its ClusterSummaries and clusters, and the trigger and source that it comes from", () => {
  const trigger = sveltosObject("EventTrigger", "policies", "", {
    spec: { sourceClusterSelector: {}, eventSourceName: "services" },
    status: { failureMessage: "refused" },
  });
  const made = generated("east", "sveltos-0123456789abcdefghij");
  const objects = [profile, summary("east", "no such chart"), down("down"), down("other"), trigger, source, made];
  const named = (name: string) => [
    ...new Set(
      occurrencesIn(objects, [])
        .filter(concernsProfile(objects, { name }))
        .map(({ object }) => `${object.kind}/${object.name}`),
    ),
  ];
  assert.deepEqual(named("web"), ["ClusterSummary/web-sveltos-east", "SveltosCluster/down"]);
  assert.deepEqual(named("sveltos-0123456789abcdefghij").toSorted(), [
    "ClusterSummary/sveltos-0123456789abcdefghij-sveltos-east",
    "EventSource/services",
    "EventTrigger/policies",
  ]);
  assert.deepEqual(named("nobody"), []);
});

test("a large fleet is grouped at once", () => {
  const clusters = Array.from({ length: 100 }, (_, at) => `c${at}`);
  const objects = clusters.flatMap((name) => Array.from({ length: 10 }, (_, at) => summary(name, "no such chart", `p${at}`)));
  assert.deepEqual(
    groupByCause(occurrencesIn(objects, []), objects).map(({ clusters: all }) => all.length),
    Array.from({ length: 10 }, () => 100),
  );
});
