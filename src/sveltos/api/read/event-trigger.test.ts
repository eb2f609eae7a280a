import assert from "node:assert/strict";
import { test } from "node:test";
import { seedManifests } from "../../../../test/sveltos/crd-assertions.ts";
import { lineFor } from "../../../core/fault/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { isInstantiated } from "../annotation.ts";
import { readEventTrigger } from "./event-trigger.ts";
import { readProfile } from "./profile.ts";

const trigger = (spec: object, kind = "EventTrigger"): KubeObject => ({
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind,
  metadata: { name: "case" },
  spec,
});

/** What is assumed of everything that a user leaves out. */
const left = {
  clusterSetRefs: [],
  destinationClusterSelector: {},
  oneForEvent: false,
  profileNameFormat: "",
  configMapGenerator: [],
  secretGenerator: [],
  policyRefs: [],
  helmCharts: [],
  templateResourceRefs: [],
  patches: [],
  validateHealths: [],
  dependsOn: [],
  syncMode: "Continuous",
  tier: 100,
  continueOnConflict: false,
  stopMatchingBehavior: "WithdrawPolicies",
};
const policyRef = { kind: "ConfigMap", deploymentType: "Remote", optional: false, tier: 100, skipNamespaceCreation: false };
const production = { matchLabels: { env: "production" } };

const readable: Readonly<Record<string, readonly [object: KubeObject, normal: object]>> = {
  "an EventBasedAddOn": [
    trigger({ clusterSelector: "env=production", eventSourceName: "a" }, "EventBasedAddOn"),
    { kind: "EventBasedAddOn", apiGeneration: "A", sourceClusterSelector: production },
  ],
  "an EventBasedAddOn with the later name": [
    trigger({ sourceClusterSelector: "env=production", eventSourceName: "a" }, "EventBasedAddOn"),
    { kind: "EventBasedAddOn", apiGeneration: "A", sourceClusterSelector: production },
  ],
  "an EventTrigger with selectors as text": [
    trigger({ sourceClusterSelector: "env=production", destinationClusterSelector: "dep=eng", eventSourceName: "a" }),
    { apiGeneration: "B", sourceClusterSelector: production, destinationClusterSelector: { matchLabels: { dep: "eng" } } },
  ],
  "an EventTrigger with selectors as objects": [
    trigger({ sourceClusterSelector: production, eventSourceName: "a", oneForEvent: true, tier: 50, maxUpdate: "30%" }),
    { apiGeneration: "C", sourceClusterSelector: production, oneForEvent: true, tier: 50, maxUpdate: "30%" },
  ],
  "an EventTrigger with content": [
    trigger({
      sourceClusterSelector: production,
      eventSourceName: "a",
      policyRefs: [
        { kind: "ConfigMap", name: "n", namespace: "ns" },
        { kind: "Secret", name: "s", optional: true, tier: 5 },
      ],
      configMapGenerator: [{ name: "t", nameFormat: "{{ .Cluster.metadata.name }}" }],
      validateHealths: [{ name: "v", featureID: "Resources", group: "apps", version: "v1", kind: "Deployment", script: "x" }],
    }),
    {
      apiGeneration: "C",
      sourceClusterSelector: production,
      policyRefs: [
        { ...policyRef, name: "n", namespace: "ns" },
        { ...policyRef, kind: "Secret", name: "s", namespace: "", optional: true, tier: 5 },
      ],
      configMapGenerator: [{ name: "t", namespace: "", nameFormat: "{{ .Cluster.metadata.name }}", optional: false }],
      validateHealths: [
        {
          name: "v",
          featureID: "Resources",
          group: "apps",
          version: "v1",
          kind: "Deployment",
          script: "x",
          namespace: "",
          labelFilters: [],
          evaluateCEL: [],
        },
      ],
    },
  ],
};

for (const [what, [object, normal]] of Object.entries(readable)) {
  test(what, () => {
    const value = { metadata: object.metadata, kind: "EventTrigger", eventSourceName: "a", ...left, ...normal };
    assert.deepEqual(readEventTrigger(object), { state: "read", value, refused: [] });
  });
}

test("the reader refuses what the API server refuses", () => {
  const chart = { repositoryURL: "https://example.com", releaseName: "a", releaseNamespace: "b" };
  const reading = readEventTrigger(
    trigger(
      { clusterSelector: "a=b", sourceClusterSelector: "a=b", eventSourceName: "", helmCharts: [chart], policyRefs: [{ name: "a" }] },
      "EventBasedAddOn",
    ),
  );
  assert.ok(reading.state === "invalid");
  assert.deepEqual(reading.problems.map(lineFor).toSorted(), [
    'spec.eventSourceName: found "", expected some text',
    "spec.helmCharts[0]: chartName must be set when repositoryURL begins with http",
    "spec.helmCharts[0]: chartVersion must be set when repositoryURL begins with http",
    "spec.helmCharts[0]: repositoryName must be set when repositoryURL begins with http",
    "spec.policyRefs[0]: exactly one of kind and remoteURL must be set",
    "spec: found clusterSelector and sourceClusterSelector, expected exactly one of clusterSelector and sourceClusterSelector",
  ]);
});

test("fields that are not built are refused, unless they have their default", () => {
  const idle = { reloader: false, cloudEventAction: "Create", kustomizationRefs: [], extraLabels: {}, patchesFrom: null };
  const set = {
    kustomizationRefs: [{ kind: "GitRepository" }],
    cloudEventAction: "Delete",
    policyRefs: [{ kind: "GitRepository", name: "a", path: "./x", deploymentType: "Local" }],
    helmCharts: [
      {
        repositoryURL: "oci://a",
        repositoryName: "a",
        chartName: "b",
        chartVersion: "1",
        releaseName: "a",
        releaseNamespace: "b",
        options: {
          wait: true,
          runTests: true,
          installOptions: { replace: false, createNamespace: false },
          upgradeOptions: { force: false },
        },
      },
    ],
  };
  const base = { sourceClusterSelector: production, eventSourceName: "a" };
  assert.deepEqual(readEventTrigger(trigger({ ...base, ...idle })).refused, []);
  assert.deepEqual(readEventTrigger(trigger({ ...base, ...set })).refused.toSorted(), [
    "spec.cloudEventAction",
    "spec.helmCharts[0].options.installOptions.replace",
    "spec.helmCharts[0].options.runTests",
    "spec.kustomizationRefs",
    "spec.policyRefs[0].deploymentType=Local",
    "spec.policyRefs[0].kind=GitRepository",
    "spec.policyRefs[0].path",
  ]);
});

test("the triggers and profiles of the seeds are read with their API generation", () => {
  const generations = (["000", "001", "004"] as const).map((seed) =>
    seedManifests(seed)
      .filter(({ kind }) => kind === "EventTrigger" || kind === "EventBasedAddOn")
      .map((object) => {
        const reading = readEventTrigger(object);
        assert.ok(reading.state === "read", object.metadata.name);
        return reading.value.apiGeneration;
      })
      .join(""),
  );
  assert.deepEqual(generations, ["CCC", "AAAAA", "B"]);
  const profile = seedManifests("000").find(({ kind }) => kind === "ClusterProfile");
  const reading = readProfile(profile!);
  assert.ok(reading.state === "read");
  assert.deepEqual([reading.value.kind, reading.value.clusterSelector], ["ClusterProfile", { matchLabels: { env: "fv" } }]);
});

test("the meaning of an annotation depends on the API generation", () => {
  const table = (["A", "B", "C"] as const).map((generation) =>
    [{}, { "projectsveltos.io/template": "ok" }, { "projectsveltos.io/instantiate": "" }].map((annotations) =>
      isInstantiated(generation, annotations),
    ),
  );
  assert.deepEqual(table, [
    [true, true, true],
    [false, true, true],
    [false, false, true],
  ]);
});
