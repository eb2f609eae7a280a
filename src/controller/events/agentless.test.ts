import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../test/embedded-fleet.ts";
import { keepEvents } from "./index.ts";
import { eventSource, put, reported, service, services, stated, trigger } from "../../../test/event-objects.ts";

const web = eventSource("web", { labelFilters: [{ key: "app", operation: "Equal", value: "web" }] });

for (const type of ["Sveltos", "Capi"] as const) {
  test(`objects of a ${type} cluster that match come into a report, and go from it`, async (t) => {
    const lab = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: {} } });
    t.after(() => lab.close());
    await put(lab, lab.managed("c1"), service("a", { app: "web" }), service("b"));
    await lab.apply(web + trigger("t", "web"));
    await lab.run(keepEvents);
    assert.equal(await reported(lab, "web"), "a");
    assert.equal(await reported(lab, "web", "c2"), "");
    assert.equal(await reported(lab, "web", "c3"), undefined);
    assert.equal(await stated(lab, "web"), "c1 1\nc2 0");
    await put(lab, lab.managed("c1"), service("b", { app: "web" }));
    await put(lab, lab.managed("c2"), service("c", { app: "web" }));
    await lab.advance(1000);
    assert.equal(await reported(lab, "web"), "a b");
    assert.equal(await reported(lab, "web", "c2"), "c");
    await put(lab, lab.managed("c1"), service("a"));
    await lab.until(lab.managed("c2").delete({ ...services, namespace: "default", name: "c" }));
    await lab.advance(1000);
    assert.equal(await reported(lab, "web"), "b");
    assert.equal(await reported(lab, "web", "c2"), "");
    assert.equal(await stated(lab, "web"), "c1 1\nc2 0");
  });
}
