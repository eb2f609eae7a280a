import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet, namespace } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf } from "../../api/index.ts";
import { stringAt } from "../../../core/object/index.ts";
import { keepSummaries } from "../cluster-summary/index.ts";
import { clustersAt, deregister, names, onFv, profile, remove, specOf, status, write } from "../../../../test/support/profile/lab.ts";
import { keepProfiles } from "./index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

function objects(color: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: {name: objects, namespace: default}
data:
  all.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: deployed, namespace: default}
    data: {color: ${color}}
`;
}

test("with whoever deploys: content rolls out cluster by cluster, goes with its profile, and a cluster that is lost holds up nobody", async (t) => {
  const lab = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => lab.close());
  await lab.run(keepProfiles, keepSummaries);
  const color = async (cluster: string) =>
    stringAt(await lab.get({ ...configMaps, namespace: "default", name: "deployed" }, lab.managed(cluster)), "data.color");
  await lab.apply(objects("red"));
  await write(lab, profile("demo", { ...onFv, maxUpdate: 1 }));
  await lab.advance(5000);
  assert.deepEqual([await color("c1"), await color("c2")], ["red", "red"]);
  assert.deepEqual(await clustersAt(lab, "demo", "updatedClusters.clusters"), ["c1", "c2"]);

  lab.written.length = 0;
  await write(lab, profile("demo", { ...onFv, maxUpdate: 1, tier: 50 }));
  await lab.advance(5000);
  assert.deepEqual([await specOf(lab, "demo-sveltos-c1", "tier"), await specOf(lab, "demo-sveltos-c2", "tier")], [50, 50]);
  assert.deepEqual(await clustersAt(lab, "demo", "updatedClusters.clusters"), ["c1", "c2"]);
  assert.equal((await status(lab, "demo"))["failedClusters"], undefined);
  assert.ok(lab.written.length < 24, `nobody undoes what another does: ${lab.written.join("\n")}`);

  lab.unreachable.add("c2");
  lab.desk.fleet.suspect(`Sveltos/${namespace}/c2`);
  await lab.advance(600_000);
  await remove(lab, "ClusterProfile", "demo");
  assert.equal(await color("c1"), undefined);
  assert.deepEqual(await names(lab), ["-demo-sveltos-c2"], "it is withdrawn when it can be");
  await deregister(lab, "c2");
  assert.deepEqual(await names(lab), []);
  assert.deepEqual(await lab.list(gvkOf("ClusterProfile")), []);
  assert.deepEqual(await lab.list(gvkOf("ClusterConfiguration")), []);
});
