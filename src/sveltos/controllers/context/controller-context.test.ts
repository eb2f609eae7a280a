import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { readyClusters } from "../../fleet/index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

for (const type of ["Sveltos", "Capi"] as const) {
  test(`a fleet of embedded ${type} clusters is ready, and the cache has all writes`, async (t) => {
    const fixture = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: {} } });
    t.after(() => fixture.close());
    await fixture.run();
    assert.deepEqual(
      readyClusters(fixture.context.fleet).map(({ key }) => key),
      [`${type}/mgmt/c1`, `${type}/mgmt/c2`],
    );
    const { cache } = fixture.context;
    await fixture.until(cache.waitForSync([configMaps]));
    const made = await fixture.until(
      fixture.hub.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "mgmt" } }),
    );
    await fixture.until(cache.waitForWrites([made], fixture.signal));
    assert.equal(cache.find(configMaps, "mgmt", "a")?.metadata.uid, made.metadata.uid);
    await fixture.until(fixture.hub.delete({ ...configMaps, namespace: "mgmt", name: "a" }));
    await fixture.until(cache.waitForDeletes([made], fixture.signal));
    assert.equal(cache.find(configMaps, "mgmt", "a"), undefined);
  });
}
