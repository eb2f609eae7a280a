import assert from "node:assert/strict";
import { test } from "node:test";
import { ActionFixture } from "../../../test/support/dashboard/action-fixture.ts";
import { fleetClusters, ownedByProfile, populateHub, sveltosObject } from "../../../test/support/fleet-objects.ts";
import { gvkOf } from "../../sveltos/api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";

const provisioned = { featureID: "Resources", status: "Provisioned", hash: "Yg==" };

function summaryOf(profile: string, cluster: string, dependsOn: readonly string[] = []): KubeObject {
  const spec = { clusterNamespace: "fleet", clusterName: cluster, clusterType: "Sveltos", clusterProfileSpec: { dependsOn } };
  const status = { featureSummaries: [provisioned] };
  return sveltosObject("ClusterSummary", `${profile}-sveltos-${cluster}`, "fleet", { spec, status }, ownedByProfile(profile));
}

async function fleet(): Promise<ActionFixture> {
  const at = new ActionFixture();
  const objects = [
    ...fleetClusters,
    ...["web", "zeal"].map((name) => sveltosObject("ClusterProfile", name, "", { spec: {} })),
    summaryOf("web", "west", ["zeal"]),
    summaryOf("zeal", "west"),
    summaryOf("web", "east"),
  ];
  await at.clock.until(populateHub(at.admin, objects));
  return at;
}

/** `web-sveltos-west Provisioning`, of all that are not as they were. */
async function reset(at: ActionFixture): Promise<readonly string[]> {
  const { items } = await at.clock.until(at.admin.list(gvkOf("ClusterSummary")));
  return items.flatMap(({ metadata, status }) => {
    const [feature] = (status as { featureSummaries: readonly { status: string }[] }).featureSummaries;
    return feature?.status === "Provisioned" ? [] : [`${metadata.name} ${feature?.status}`];
  });
}

const west = { type: "redeploy-cluster", kind: "SveltosCluster", namespace: "fleet", name: "west" } as const;
const web = { type: "redeploy-profile", kind: "ClusterProfile", namespace: "", name: "web" } as const;

test("the profiles of a cluster are deployed again, those first that others depend on", async () => {
  const at = await fleet();
  const ada = await at.visitor("ada");
  const preview = await at.preview(west, ada);
  assert.deepEqual(preview.steps, ["ClusterProfile/zeal in fleet/west", "ClusterProfile/web in fleet/west"]);
  assert.match(preview.summary[0] ?? "", /2 profiles in 1 cluster are compared and applied again/);
  assert.deepEqual(preview.command, ["sluice", "redeploy", "cluster", "west", "-n", "fleet", "--cluster-type", "Sveltos"]);
  assert.deepEqual(await reset(at), []);
  at.runner.start(preview.id, ada);
  const { state, path } = await at.end(preview.id, ada);
  assert.deepEqual([state, path], ["succeeded", "/c/test/clusters/SveltosCluster/fleet/west"]);
  assert.deepEqual(await reset(at), ["web-sveltos-west Provisioning", "zeal-sveltos-west Provisioning"]);
});

test("a profile is deployed again to all of its clusters", async () => {
  const at = await fleet();
  const ended = await at.act(web, await at.visitor("ada"));
  assert.equal(ended.because, "2 ClusterSummaries reset: the controller deploys them again.");
  assert.deepEqual(await reset(at), ["web-sveltos-east Provisioning", "web-sveltos-west Provisioning"]);
});

test("who may not write the status of ClusterSummaries is refused before anything happens", async () => {
  const at = await fleet();
  const joe = await at.visitor("joe", [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch"] }]);
  const { refusals } = await at.preview(web, joe);
  assert.deepEqual(refusals, [
    "You may not update clustersummaries/status.config.projectsveltos.io in fleet: ask for that right, and try again. Nothing was done.",
  ]);
  assert.equal((await at.act(web, joe)).state, "refused");
  assert.deepEqual(await reset(at), []);
});

test("a cluster or a profile that is not there is a refusal", async () => {
  const at = await fleet();
  const ada = await at.visitor("ada");
  assert.match((await at.preview({ ...west, name: "north" }, ada)).refusals.join(), /there is no cluster north/);
  assert.match((await at.preview({ ...web, name: "none" }, ada)).refusals.join(), /there is no profile ClusterProfile\/none/);
});
