import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { readyClusters } from "../../fleet/index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

for (const type of ["Sveltos", "Capi"] as const) {
  test(`a fleet of embedded ${type} clusters is ready, and copies catch up with what was written`, async (t) => {
    const lab = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: {} } });
    t.after(() => lab.close());
    await lab.run();
    assert.deepEqual(
      readyClusters(lab.desk.fleet).map(({ key }) => key),
      [`${type}/mgmt/c1`, `${type}/mgmt/c2`],
    );
    const { copies } = lab.desk;
    await lab.until(copies.ready([configMaps]));
    const made = await lab.until(lab.hub.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "mgmt" } }));
    await lab.until(copies.caughtUp([made], lab.signal));
    assert.equal(copies.find(configMaps, "mgmt", "a")?.metadata.uid, made.metadata.uid);
    await lab.until(lab.hub.delete({ ...configMaps, namespace: "mgmt", name: "a" }));
    await lab.until(copies.gone([made], lab.signal));
    assert.equal(copies.find(configMaps, "mgmt", "a"), undefined);
  });
}
