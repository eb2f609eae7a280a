import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { apps, eventSource, https, labWith, put, reported, service, stated, trigger, web } from "../../../../test/support/event-objects.ts";
import { Fleet, inProcess } from "../../fleet/index.ts";
import { Copies, type Desk } from "../context/index.ts";
import { keepEvents } from "./index.ts";

/** Starts the controller beside the fleet that runs already; the answer ends it. */
function begin(lab: EmbeddedFleet, desk: Partial<Desk> = {}): () => Promise<void> {
  const stop = new AbortController();
  const running = keepEvents({ ...lab.desk, ...desk }, AbortSignal.any([lab.signal, stop.signal]));
  return async () => {
    stop.abort();
    await lab.until(running);
  };
}

test("one object that a script fails on keeps its verdict, the others go on, and a restart changes nothing of it", async (t) => {
  const lab = await labWith(t, { lua: eventSource("lua", { evaluate: https, namespace: "default" }, { collectResources: true }) });
  const c1 = lab.managed("c1");
  const notes: string[] = [];
  const chronicle = {
    ...lab.desk.chronicle,
    note: (_: unknown, { reason, message }: { reason: string; message: string }) => void notes.push(`${reason}: ${message}`),
  };
  const end = begin(lab, { chronicle });
  await put(lab, c1, service("a", {}, 443), service("b", {}, 80));
  await lab.run();
  assert.equal(await reported(lab, "lua"), "a kubernetes");
  await put(lab, c1, service("a", {}, 666), service("b", {}, 666), service("c", {}, 443));
  await lab.advance(1000);
  assert.equal(await reported(lab, "lua"), "a c kubernetes");
  assert.match(await stated(lab, "lua"), /^c1 3; a: .*no such port.*; b: .*no such port/);
  assert.match(notes.join("\n"), /^EvaluationFailed: cluster mgmt\/c1: Service default\/a: .*no such port/);
  await end();
  lab.written.length = 0;
  begin(lab);
  await lab.advance(60_000);
  assert.equal(await reported(lab, "lua"), "a c kubernetes");
  assert.deepEqual(lab.written, [], "a restart in a steady state writes nothing");
  await put(lab, c1, service("a", {}, 80), service("b", {}, 443));
  await lab.advance(2000);
  assert.equal(await reported(lab, "lua"), "b c kubernetes");
  assert.equal(await stated(lab, "lua"), "c1 3");
});

test("an unreachable cluster loses nothing, before and after a restart", async (t) => {
  const lab = await labWith(t, { web });
  const c1 = lab.managed("c1");
  await put(lab, c1, service("a", { app: "web" }));
  const end = begin(lab);
  await lab.run();
  assert.equal(await reported(lab, "web"), "a");
  lab.unreachable.add("c1");
  lab.desk.fleet.suspect(`${lab.type}/mgmt/c1`);
  await lab.advance(600_000);
  assert.equal(await reported(lab, "web"), "a");
  await end();
  begin(lab);
  await lab.advance(60_000);
  assert.equal(await reported(lab, "web"), "a");
  lab.unreachable.delete("c1");
  await lab.advance(120_000);
  await put(lab, c1, service("b", { app: "web" }));
  await lab.advance(60_000);
  assert.equal(await reported(lab, "web"), "a b");
  assert.equal(await stated(lab, "web"), "c1 2");
});

test("of a kind that may not be read nothing is reported anew: that nothing was found is no finding", async (t) => {
  const lab = await labWith(t, { web });
  const c1 = lab.managed("c1");
  await put(lab, c1, service("a", { app: "web" }));
  lab.forbids = (cluster, path) => cluster === "c1" && path.includes("/services");
  await lab.run(keepEvents);
  await lab.advance(60_000);
  assert.equal(await reported(lab, "web"), undefined);
  assert.match(await stated(lab, "web"), /^c1 0; .*you may not/);
  lab.forbids = () => false;
  await lab.advance(600_000);
  assert.equal(await reported(lab, "web"), "a");
});

test("scripts that never end are come back to, and hold up nobody", async (t) => {
  const endless = "function evaluate() while true do end end";
  const lab = await labWith(t, { endless: eventSource("endless", { evaluate: endless, ...apps("web") }), web });
  for (let index = 0; index < 8; index++) await put(lab, lab.managed("c1"), service(`s${index}`, { app: "web" }));
  await lab.run(keepEvents);
  assert.equal((await reported(lab, "web"))?.split(" ").length, 8);
  await lab.advance(2000);
  assert.equal(await reported(lab, "endless"), "");
  assert.equal((await stated(lab, "endless")).split("; ").length, 1 + 8, "each of them was tried, and none waits any more");
});

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

test("a report that the management cluster refuses is said of the EventSource, and written when it is let in", async (t) => {
  const lab = await labWith(t, { web });
  const limitNames = async (maxLength: number) => {
    const patch = [0, 1].map((version) => ({
      op: "add",
      path: `/spec/versions/${version}/schema/openAPIV3Schema/properties/spec/properties/eventSourceName`,
      value: { type: "string", maxLength },
    }));
    const ref = {
      group: "apiextensions.k8s.io",
      version: "v1",
      kind: "CustomResourceDefinition",
      namespace: "",
      name: "eventreports.lib.projectsveltos.io",
    };
    await lab.until(lab.hub.patch(ref, { type: "json", patch }));
    await lab.advance(1000);
  };
  await limitNames(1);
  await lab.run(keepEvents);
  assert.equal(await reported(lab, "web"), undefined);
  assert.match(await stated(lab, "web"), /^c1 0; \*: .*eventSourceName.*Too long/);
  await limitNames(100);
  await lab.apply(eventSource("web", apps("web"), { collectResources: true }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "");
  assert.equal(await stated(lab, "web"), "c1 0");
});

test("killed after any write and started again, it carries on", async (t) => {
  const lab = await labWith(t, { web });
  await lab.run();
  const expected: string[] = [];
  for (let round = 0; round < 5; round++) {
    let writes = 0;
    const stop = new AbortController();
    lab.afterWrite = () => {
      if (++writes > round) stop.abort();
    };
    const killed = keepEvents(lab.desk, AbortSignal.any([lab.signal, stop.signal]));
    await put(lab, lab.managed("c1"), service(`s${round}`, { app: "web" }));
    await lab.advance(1000);
    stop.abort();
    await lab.until(killed);
    lab.afterWrite = () => {};
    const end = begin(lab);
    await lab.advance(2000);
    expected.push(`s${round}`);
    assert.equal(await reported(lab, "web"), expected.join(" "));
    assert.equal(await stated(lab, "web"), `c1 ${expected.length}`);
    await end();
  }
});
