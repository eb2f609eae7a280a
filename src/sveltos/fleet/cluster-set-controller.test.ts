import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../api/index.ts";
import { fieldsAt, stringAt } from "../../core/object/index.ts";
import { FleetUnderTest } from "../../../test/support/fleet-under-test.ts";
import { runClusterSetController } from "./index.ts";

const names = (list: unknown) => (Array.isArray(list) ? list.map((ref) => stringAt(ref, "name")) : []);

test("a ClusterSet selects maxReplicas matching clusters, and replaces one that is Down", async () => {
  const fixture = await FleetUnderTest.open();
  for (const name of ["c1", "c2", "c3"]) await fixture.register(name, { env: "fv" });
  await fixture.run();
  void runClusterSetController(fixture.hub, fixture.fleet, fixture.stop.signal);
  const spec = { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 2 };
  await fixture.hub.create({ apiVersion: "lib.projectsveltos.io/v1beta1", kind: "ClusterSet", metadata: { name: "s" }, spec });
  const selected = async () => {
    const set = await fixture.hub.get({ ...gvkOf("ClusterSet"), namespace: "", name: "s" });
    return [names(fieldsAt(set, "status")["matchingClusterRefs"]), names(fieldsAt(set, "status")["selectedClusterRefs"])];
  };
  await fixture.events();
  assert.deepEqual(await selected(), [
    ["c1", "c2", "c3"],
    ["c1", "c2"],
  ]);
  fixture.failures.set("c1", "refused");
  fixture.fleet.probeNow("Sveltos/mgmt/c1");
  await fixture.events(240_000);
  assert.deepEqual(await selected(), [
    ["c1", "c2", "c3"],
    ["c2", "c3"],
  ]);
  await fixture.register("c3", { env: "other" });
  await fixture.events();
  assert.deepEqual(await selected(), [["c1", "c2"], ["c2"]]);
});
