import assert from "node:assert/strict";
import { test } from "node:test";
import { widgetCrd } from "../../../test/support/widget-crd.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { fieldsAt, refOf, type KubeObject } from "../../core/object/index.ts";
import { connect } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const crd = (...fields: readonly string[]): KubeObject => {
  const spec = { type: "object", properties: Object.fromEntries(fields.map((name) => [name, { type: "integer" }])) };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return { ...widgetCrd, spec: { ...fieldsAt(widgetCrd, "spec"), versions: [{ name: "v1", served: true, storage: true, schema }] } };
};
const widget = (spec: object): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "a", namespace: "default" },
  spec,
});

test("a custom resource is served as the present schema has it, and what is stored comes back with the schema", async () => {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const serve = async (...fields: readonly string[]) => {
    await cluster.apply(crd(...fields), { manager: "test", force: true });
    await clock.advance(10_000);
  };
  const ref = refOf(widget({}));
  const specs = async () => {
    const { items } = await cluster.list(ref, { namespace: "default" });
    return [(await cluster.get(ref))["spec"], ...items.map(({ spec }) => spec)];
  };
  await serve("size", "extra");
  await cluster.apply(widget({ size: 1, extra: 2 }), { manager: "test" });
  await serve("size");
  assert.deepEqual(await specs(), [{ size: 1 }, { size: 1 }]);
  await serve("size", "extra");
  assert.deepEqual(await specs(), [
    { size: 1, extra: 2 },
    { size: 1, extra: 2 },
  ]);
  await serve("size");
  assert.deepEqual((await cluster.apply(widget({ size: 3 }), { manager: "test" }))["spec"], { size: 3 });
  await serve("size", "extra");
  assert.deepEqual((await cluster.get(ref))["spec"], { size: 3 });
});
