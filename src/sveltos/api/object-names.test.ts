import assert from "node:assert/strict";
import { test } from "node:test";
import { labelValueProblems } from "../../core/object/index.ts";
import {
  clusterLabels,
  clusterProfileLabels,
  clusterSummaryLabels,
  labelValue,
  eventReportLabels,
  generatorLabels,
  instantiatedLabels,
  managedEventReportLabels,
  originLabels,
  originOf,
} from "./label.ts";
import {
  clusterConfigurationName,
  clusterReportName,
  clusterSummaryName,
  deployedGvk,
  eventReportName,
  generatedName,
  gvkOfDeployed,
  managedEventReportName,
} from "./object-names.ts";

// Every expected value is as a running Sveltos 0.51.1 wrote it, or as seed 001 prints it.
const c1 = { type: "Sveltos", namespace: "mgmt", name: "c1" } as const;
const workload = { type: "Capi", namespace: "default", name: "sveltos-management-workload" } as const;

test("names", () => {
  assert.equal(eventReportName("sveltos-service", c1), "sveltos--sveltos-service--c1");
  assert.equal(eventReportName("sveltos-service", workload), "capi--sveltos-service--sveltos-management-workload");
  assert.equal(managedEventReportName("sveltos-service"), "sveltos-service");
  assert.equal(clusterSummaryName("ClusterProfile", "demo", c1), "demo-sveltos-c1");
  assert.equal(clusterSummaryName("Profile", "demo", workload), "p--demo-capi-sveltos-management-workload");
  assert.equal(clusterConfigurationName(c1), "sveltos--c1");
  assert.equal(clusterReportName("ClusterProfile", "dry", c1), "dry--sveltos--c1");
  assert.equal(clusterReportName("Profile", "dry", c1), "p--dry--sveltos--c1");
});

test("generated names take all randomness from the caller", () => {
  assert.equal(
    generatedName(() => 0),
    "sveltos-00000000000000000000",
  );
  assert.equal(
    generatedName(() => 0.999999),
    "sveltos-zzzzzzzzzzzzzzzzzzzz",
  );
  let n = 0;
  assert.match(
    generatedName(() => ((n++ * 7) % 36) / 36),
    /^sveltos-07elsz[0-9a-z]{14}$/,
  );
});

test("deployed kinds", () => {
  for (const [gvk, text] of [
    [{ group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" }, "NetworkPolicy.v1.networking.k8s.io"],
    [{ group: "", version: "v1", kind: "ConfigMap" }, "ConfigMap.v1."],
  ] as const) {
    assert.equal(deployedGvk(gvk), text);
    assert.deepEqual(gvkOfDeployed(text), gvk);
  }
  assert.equal(gvkOfDeployed("ConfigMap"), undefined);
});

test("labels of reports", () => {
  assert.deepEqual(managedEventReportLabels("sveltos-service"), { "projectsveltos.io/eventsource-name": "sveltos-service" });
  assert.deepEqual(eventReportLabels("sveltos-service", workload), {
    "eventreport.projectsveltos.io/cluster-name": "sveltos-management-workload",
    "eventreport.projectsveltos.io/cluster-type": "capi",
    "projectsveltos.io/eventsource-name": "sveltos-service",
  });
});

test("labels of configurations, reports and summaries", () => {
  const cluster = { "projectsveltos.io/cluster-name": "c1", "projectsveltos.io/cluster-type": "Sveltos" };
  assert.deepEqual(clusterLabels(c1), cluster);
  assert.deepEqual(clusterProfileLabels("ClusterProfile", "dry", c1), { ...cluster, "projectsveltos.io/cluster-profile-name": "dry" });
  assert.deepEqual(clusterSummaryLabels("Profile", { name: "demo", labels: { team: "a" } }, c1), {
    ...cluster,
    team: "a",
    "projectsveltos.io/profile-name": "demo",
  });
});

const origin = {
  trigger: "service-network-policy",
  eventSource: "sveltos-service",
  cluster: c1,
  resource: { namespace: "default", name: "my-service" },
};
const profileLabels = {
  "eventtrigger.lib.projectsveltos.io/clusterNamespace": "mgmt",
  "eventtrigger.lib.projectsveltos.io/clustername": "c1",
  "eventtrigger.lib.projectsveltos.io/clustertype": "Sveltos",
  "eventtrigger.lib.projectsveltos.io/eventreportname": "sveltos-service",
  "eventtrigger.lib.projectsveltos.io/eventtriggername": "service-network-policy",
  "eventtrigger.lib.projectsveltos.io/resourcename": "my-service",
  "eventtrigger.lib.projectsveltos.io/resourcenamespace": "default",
};

test("labels of what a trigger generates", () => {
  assert.deepEqual(originLabels(origin), profileLabels);
  const template = { namespace: "default", name: "network-policy" };
  const instantiated = {
    ...profileLabels,
    "eventtrigger.lib.projectsveltos.io/refname": "network-policy",
    "eventtrigger.lib.projectsveltos.io/refnamespace": "default",
  };
  assert.deepEqual(instantiatedLabels(origin, template), instantiated);
  assert.deepEqual(generatorLabels(origin, template), { ...instantiated, "eventtrigger.lib.projectsveltos.io/fromgenerator": "ok" });
});

test("the origin of an object is read from its labels", () => {
  const { resource, ...forAll } = origin;
  assert.equal(resource.name, "my-service");
  const cluster = { ...origin, resource: { name: "node-1" } };
  const ambiguous = { ...origin, resource: { ...resource, kind: "Deployment.apps" } };
  for (const one of [origin, forAll, cluster, ambiguous]) assert.deepEqual(originOf(originLabels(one)), one);
  assert.equal(originOf({ app: "web" }), undefined);
  assert.equal(originOf(undefined), undefined);
});

const names: Readonly<Record<string, string>> = {
  "my-service": "my-service",
  "": "",
  // printf system:node | sha256sum
  "system:node": "system-node-324d760002",
  ":": "e7ac078666",
  [`${"a".repeat(60)}.${"b".repeat(60)}`]: `${"a".repeat(52)}-0f7ea3f7e2`,
};

for (const [name, value] of Object.entries(names)) {
  test(`a name as a label's value: ${name}`, () => {
    assert.equal(labelValue(name), value);
    assert.deepEqual(labelValueProblems(labelValue(name)), []);
  });
}
