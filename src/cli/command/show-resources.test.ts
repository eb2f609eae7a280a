import assert from "node:assert/strict";
import { test } from "node:test";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { connectInProcess } from "../../../test/support/connected-cluster.ts";
import { listedResource, openHub, populateHub, sveltosObject } from "../../../test/support/fleet-objects.ts";
import { connect, openCluster } from "../../kube/index.ts";
import { originLabels } from "../../sveltos/api/index.ts";
import type { AddonOutline } from "../../view/index.ts";
import { readDeployedObjects } from "../../sveltos/inspect/index.ts";

const folder = testFolder("show-resources");
const { kubeconfig, sluice } = await serveClusters(folder, "--clusters", "2");
const hub = await openHub(kubeconfig);

const configuration = (cluster: string, clusterProfileName: string, features: object) =>
  sveltosObject("ClusterConfiguration", `sveltos--${cluster}`, "fleet", {
    status: { clusterProfileResources: [{ clusterProfileName, Features: [{ featureID: "Resources", ...features }] }] },
  });
const labels = originLabels({
  trigger: "policies",
  eventSource: "services",
  cluster: { type: "Sveltos", namespace: "fleet", name: "east" },
});
const chart = { repoURL: "x", releaseName: "nope", namespace: "apps", chartVersion: "1.0.0", lastAppliedTime: "2026-01-05T10:00:00Z" };

await populateHub(hub, [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "fleet" } },
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "beside", namespace: "default" } },
  sveltosObject("ClusterProfile", "made", "", { spec: {} }, { labels }),
  configuration("east", "made", {
    resources: [
      ...["one", "two", "three", "four"].map((name) => listedResource("", "ConfigMap", name)),
      listedResource("apps", "Deployment", "gone"),
      listedResource("example.com", "Foo", "strange"),
      listedResource("batch", "Job", "over"),
      listedResource("", "ConfigMap", "beside", { deploymentType: "Local" }),
    ],
    charts: [chart],
  }),
  configuration("dead", "web", { resources: [listedResource("", "ConfigMap", "one")], charts: [chart] }),
]);
const dead = `apiVersion: v1
kind: Config
current-context: x
clusters: [{name: x, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: x, user: {token: x}}]
contexts: [{name: x, context: {cluster: x, user: x}}]
`;
const { cluster: east, close } = await openCluster({ kubeconfig, context: "sluice-2" });
for (const name of ["one", "two", "three", "four"])
  await east.create({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", labels: { "projectsveltos.io/reason": "Resources" } },
  });
close();
const here = ["-n", "fleet", "--management-kubeconfig", kubeconfig] as const;
assert.equal((await sluice("register", "cluster", "east", ...here, "--fleet-cluster-context", "sluice-2")).code, 0);
assert.equal((await runSluice("register", "cluster", "dead", ...here, "--kubeconfig", folder.file("dead.yaml", dead))).code, 0);

test("show resources: the health of each object, in clusters that answer and those that do not", async () => {
  const { code, out, err } = await sluice("show", "resources", "-o", "json");
  assert.equal(code, 0);
  const found = JSON.parse(out) as {
    cluster: { name: string };
    kind: string;
    name: string;
    health: string;
    message?: string;
    profiles: object[];
  }[];
  assert.deepEqual(
    found.map(({ cluster, kind, name, health }) => `${cluster.name} ${kind}/${name} ${health}`),
    [
      "dead ConfigMap/one unknown",
      "dead Secret/sh.helm.release.v1.nope unknown",
      "east ConfigMap/one ready",
      "east ConfigMap/two ready",
      "east ConfigMap/three ready",
      "east ConfigMap/four ready",
      "east Deployment/gone missing",
      "east Foo/strange missing",
      "east Job/over missing",
      "east Secret/sh.helm.release.v1.nope unknown",
      "east ConfigMap/beside ready",
    ],
  );
  assert.match(err, /^warning: cluster fleet\/dead cannot be asked: nothing answers at https:\/\/127\.0\.0\.1:1/);
  assert.match(found[0]?.message ?? "", /its cluster cannot be asked: nothing answers/);
  assert.match(found[7]?.message ?? "", /does not serve Foo/);
  assert.match(found[8]?.message ?? "", /ttlSecondsAfterFinished/);
  assert.match(found[9]?.message ?? "", /nope/);
  assert.deepEqual(found[2]?.profiles, [{ kind: "ClusterProfile", name: "made", trigger: "policies" }]);
});

test("show resources: of a cluster or a profile, what is not ready alone, and how many there are", async () => {
  const { out, err } = await sluice("show", "resources", "--cluster", "fleet/east", "--profile", "made", "--failed");
  assert.match(out, /\| fleet\/east \| apps:Deployment +\| default +\| gone +\| missing \| it does not exist/);
  assert.match(out, /\| ClusterProfile\/made \(policies\) \|/);
  assert.doesNotMatch(out, / two /);
  assert.equal(err, "5 of 9 objects ready, 3 missing, 1 unknown");
  assert.match((await sluice("show", "resources", "--cluster", "nowhere")).err, /there is no cluster nowhere/);
  assert.match((await sluice("show", "resources", "--profile", "nobody")).err, /there is no profile nobody/);
  assert.equal((await sluice("show", "resources", "--cluster", "east", "--profile", "web")).code, 1);
});

const never = new AbortController().signal;

test("many objects of a kind are read by one list, and what is not labelled by itself", async (t) => {
  const { cluster, exchange, clock } = await connectInProcess(t);
  const names = Array.from({ length: 30 }, (_, at) => `m${at}`);
  for (const [at, name] of names.entries()) {
    const labels = at === 0 ? {} : { "projectsveltos.io/reason": "Resources" };
    await cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", labels } });
  }
  const requests: string[] = [];
  const counting = connect(
    (request) => {
      requests.push(request.path);
      return exchange(request);
    },
    { clock },
  );
  const addons = names.map((name): AddonOutline => ({
    cluster: { namespace: "fleet", name: "east" },
    type: "resource",
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    name,
    deploymentType: "Remote",
    profiles: [],
  }));
  const found = await readDeployedObjects(addons, counting, { signal: never });
  assert.deepEqual([...new Set(found.map(({ health }) => health))], ["ready"]);
  assert.deepEqual(
    requests.filter((path) => path.includes("/configmaps")).map((path) => path.replace(/\?.*/, "")),
    ["/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/configmaps/m0"],
  );
});
