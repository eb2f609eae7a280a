import assert from "node:assert/strict";
import { test } from "node:test";
import { testFolder, serveClusters } from "../../../test/support/command-line.ts";
import { fleetClusters, populateHub, openHub, sveltosObject, ownedByProfile } from "../../../test/support/fleet-objects.ts";
import { gvkOf } from "../../sveltos/api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";

const { kubeconfig, sluice } = await serveClusters(testFolder("redeploy"));
const hub = await openHub(kubeconfig);

/** What is deployed to west: web needs zeal. */
function summaryOf(profile: string, dependsOn: readonly string[], feature: object): KubeObject {
  const spec = { clusterNamespace: "fleet", clusterName: "west", clusterType: "Sveltos", clusterProfileSpec: { dependsOn } };
  const status = { featureSummaries: [feature] };
  return sveltosObject("ClusterSummary", `${profile}-sveltos-west`, "fleet", { spec, status }, ownedByProfile(profile));
}

const failed = {
  featureID: "Resources",
  status: "Failed",
  hash: "YQ==",
  failureMessage: "no matches for kind Foo",
  consecutiveFailures: 3,
};
const time = "2026-01-05T10:00:00Z";
const provisioned = { featureID: "Resources", status: "Provisioned", hash: "Yg==", lastAppliedTime: time };

await populateHub(hub, [
  ...fleetClusters,
  ...["web", "zeal"].map((name) => sveltosObject("ClusterProfile", name, "", { spec: {} })),
  summaryOf("web", ["zeal"], failed),
  summaryOf("zeal", [], provisioned),
]);

async function statusOf(name: string): Promise<unknown> {
  return (await hub.get({ ...gvkOf("ClusterSummary"), namespace: "fleet", name }))["status"];
}

/** What is said of a profile that is deployed again. */
const again = (profile: string) =>
  `ClusterProfile/${profile} in fleet/west is deployed again (ClusterSummary fleet/${profile}-sveltos-west is reset)`;

test("redeploy cluster: one profile, then all, those first that others depend on", async () => {
  const one = await sluice("redeploy", "cluster", "west", "-n", "fleet", "--profile", "zeal");
  assert.deepEqual(one, { code: 0, out: again("zeal"), err: "" });
  assert.deepEqual(await statusOf("web-sveltos-west"), { featureSummaries: [failed] });
  assert.deepEqual(await statusOf("zeal-sveltos-west"), {
    featureSummaries: [{ featureID: "Resources", status: "Provisioning", lastAppliedTime: time }],
  });
  const all = await sluice("redeploy", "cluster", "--namespace", "fleet", "--cluster=west", "--cluster-type=Sveltos");
  assert.deepEqual(all, { code: 0, out: `${again("zeal")}\n${again("web")}`, err: "" });
  const { hash: _hash, ...rest } = failed;
  assert.deepEqual(await statusOf("web-sveltos-west"), { featureSummaries: [{ ...rest, status: "Provisioning" }] });
});

test("redeploy cluster: what is being withdrawn is left alone", async () => {
  const leaving = { ...gvkOf("ClusterSummary"), namespace: "fleet", name: "zeal-sveltos-west" };
  await hub.patch(leaving, { type: "merge", patch: { metadata: { finalizers: ["example.com/hold"] } } });
  await hub.delete(leaving);
  const { code, out, err } = await sluice("redeploy", "cluster", "west", "-n", "fleet", "-o", "json");
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(
    (JSON.parse(out) as { clusterSummary: object; reset: boolean }[]).map(({ clusterSummary, reset }) => [clusterSummary, reset]),
    [
      [{ namespace: "fleet", name: "zeal-sveltos-west" }, false],
      [{ namespace: "fleet", name: "web-sveltos-west" }, true],
    ],
  );
});

test("redeploy cluster: a cluster without profiles has nothing to deploy again", async () => {
  assert.deepEqual(await sluice("redeploy", "cluster", "east", "-n", "fleet"), {
    code: 0,
    out: "",
    err: "no profile is deployed to cluster east: there is nothing to deploy again",
  });
});

test("redeploy cluster: of two clusters of one name, one has to be chosen", async () => {
  for (const clusterType of ["Sveltos", "Capi"]) {
    const spec = { clusterNamespace: "default", clusterName: "twin", clusterType, clusterProfileSpec: {} };
    await hub.create(sveltosObject("ClusterSummary", `web-${clusterType.toLowerCase()}-twin`, "default", { spec }));
  }
  const both = await sluice("redeploy", "cluster", "twin");
  assert.deepEqual([both.code, both.out], [2, ""]);
  assert.match(both.err, /^error: there are two clusters default\/twin, one of each type: choose one with --cluster-type$/);
  const { code, out } = await sluice("redeploy", "cluster", "twin", "--cluster-type", "Capi", "-o", "json");
  const [only, ...more] = JSON.parse(out) as { clusterSummary: { name: string } }[];
  assert.deepEqual([code, only?.clusterSummary.name, more.length], [0, "web-capi-twin", 0]);
});

const missing: Readonly<Record<string, string>> = {
  nowhere: "error: there is no cluster nowhere in namespace default: sluice show clusters lists them",
  "west -n fleet --profile Profile/web": "error: profile Profile/web is not deployed to fleet/west",
};

for (const [flags, message] of Object.entries(missing)) {
  test(`not found: sluice redeploy cluster ${flags}`, async () => {
    assert.deepEqual(await sluice("redeploy", "cluster", ...flags.split(" ")), { code: 1, out: "", err: message });
  });
}

for (const command of [
  "redeploy",
  "redeploy cluster",
  "redeploy cluster west --cluster west",
  "redeploy cluster west --cluster-type Gke",
]) {
  test(`wrong usage: sluice ${command}`, async () => {
    const { code, err } = await sluice(...command.split(" "));
    assert.equal(code, 2);
    assert.notEqual(err, "");
  });
}
