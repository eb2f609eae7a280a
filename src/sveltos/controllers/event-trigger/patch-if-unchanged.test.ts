import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { patchIfUnchanged } from "./patch-if-unchanged.ts";

const label = (colour: string) => ({ metadata: { labels: { colour } } });

test("an object that has changed meanwhile is not patched, and a deleted one needs no patch", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: {} });
  t.after(() => fixture.close());
  const { hub, context, signal } = fixture;
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
  await fixture.until(context.cache.waitForSync([ref]));
  const made = await fixture.until(hub.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } }));
  assert.equal(await fixture.until(patchIfUnchanged(made, label("red"), context, { signal })), true);
  assert.equal(context.cache.find(ref, "default", "a")?.metadata.labels?.["colour"], "red");
  assert.equal(await fixture.until(patchIfUnchanged(made, label("blue"), context, { signal })), false);
  assert.equal((await fixture.get(ref))?.metadata.labels?.["colour"], "red");
  await fixture.until(hub.delete(ref));
  assert.equal(await fixture.until(patchIfUnchanged(made, label("blue"), context, { signal })), true);
});
