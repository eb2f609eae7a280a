import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { patched } from "./patch.ts";

const label = (colour: string) => ({ metadata: { labels: { colour } } });

test("what has changed meanwhile is left as it is, and what is gone needs nothing", async (t) => {
  const lab = await EmbeddedFleet.open({ clusters: {} });
  t.after(() => lab.close());
  const { hub, desk, signal } = lab;
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
  await lab.until(desk.copies.ready([ref]));
  const made = await lab.until(hub.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } }));
  assert.equal(await lab.until(patched(made, label("red"), desk, { signal })), true);
  assert.equal(desk.copies.find(ref, "default", "a")?.metadata.labels?.["colour"], "red");
  assert.equal(await lab.until(patched(made, label("blue"), desk, { signal })), false);
  assert.equal((await lab.get(ref))?.metadata.labels?.["colour"], "red");
  await lab.until(hub.delete(ref));
  assert.equal(await lab.until(patched(made, label("blue"), desk, { signal })), true);
});
