import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../test/embedded-fleet.ts";
import { eventSource, put, reported, service, stated, trigger } from "../../../test/event-objects.ts";
import { Fleet, inProcess } from "../../fleet/index.ts";
import { Copies } from "../copies.ts";
import type { Desk } from "../desk.ts";
import { keepEvents } from "./index.ts";

const web = eventSource("web", { labelFilters: [{ key: "app", operation: "Equal", value: "web" }] });

/** A replica with a fleet of its own that attends to nothing until it is told to. */
function replica(lab: EmbeddedFleet): { readonly desk: Desk; attend(name: string): () => Promise<void> } {
  const fleet = new Fleet(lab.hub, { open: inProcess((name) => lab.managed(name)), attendAll: false });
  const desk = { ...lab.desk, fleet, copies: new Copies(lab.hub, lab.signal) };
  void fleet.run(lab.signal);
  void keepEvents(desk, lab.signal);
  const attend = (name: string) => {
    const stop = new AbortController();
    const attending = fleet.attend(`Sveltos/mgmt/${name}`, AbortSignal.any([stop.signal, lab.signal]));
    return async () => {
      stop.abort();
      await lab.until(attending);
    };
  };
  return { desk, attend };
}

test("replicas share the clusters, write one status together and hand clusters over without a report too few", async (t) => {
  const lab = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: { env: "fv" } } });
  t.after(() => lab.close());
  await lab.apply(web + trigger("t", "web"));
  for (const name of ["c1", "c2", "c3"]) await put(lab, lab.managed(name), service(`of-${name}`, { app: "web" }));
  const [one, two] = [replica(lab), replica(lab)];
  await lab.advance(1000);
  assert.equal(await reported(lab, "web", "c1"), undefined, "nobody attends to it");
  const leave = one.attend("c1");
  two.attend("c2");
  two.attend("c3");
  await lab.advance(5000);
  for (const name of ["c1", "c2", "c3"]) assert.equal(await reported(lab, "web", name), `of-${name}`);
  assert.equal(await stated(lab, "web"), "c1 1\nc2 1\nc3 1");
  lab.written.length = 0;
  await leave();
  two.attend("c1");
  await lab.advance(5000);
  assert.deepEqual(lab.written, [], "a cluster changes hands and nothing else changes");
  await put(lab, lab.managed("c1"), service("more", { app: "web" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "web", "c1"), "more of-c1");
  assert.equal(await stated(lab, "web"), "c1 2\nc2 1\nc3 1");
});

test("a burst of events is few writes of a report, and fewer of the status", async (t) => {
  const lab = await EmbeddedFleet.open();
  t.after(() => lab.close());
  await lab.apply(web + trigger("t", "web"));
  await lab.run(keepEvents);
  await lab.advance(5000);
  lab.written.length = 0;
  const c1 = lab.managed("c1");
  for (let index = 0; index < 20; index++) {
    await lab.until(c1.create(service(`s${index}`, { app: "web" })));
    await lab.advance(50);
  }
  const reports = lab.written.filter((line) => line.includes("/eventreports/"));
  assert.equal(reports.length, 20, "each is told of as soon as it is there");
  await lab.advance(5000);
  const statuses = lab.written.filter((line) => line.includes("/eventsources/"));
  assert.ok(statuses.length <= 3, `${statuses.length} writes of the status within about a second`);
  assert.equal(await stated(lab, "web"), "c1 20");
});
