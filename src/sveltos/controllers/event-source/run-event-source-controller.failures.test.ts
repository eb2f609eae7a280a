import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import {
  appSelector,
  eventSourceYaml,
  httpsScript,
  openFleetWith,
  applyObjects,
  reportedNames,
  serviceObject,
  eventSourceStatusText,
  eventTriggerYaml,
  webEventSource,
} from "../../../../test/support/event-objects.ts";
import { Fleet, inProcessOpener } from "../../fleet/index.ts";
import { SharedCache, type ControllerContext } from "../context/index.ts";
import { runEventSourceController } from "./index.ts";

/** Starts the controller beside the fleet that runs already; the answer ends it. */
function begin(fixture: EmbeddedFleet, context: Partial<ControllerContext> = {}): () => Promise<void> {
  const stop = new AbortController();
  const running = runEventSourceController({ ...fixture.context, ...context }, AbortSignal.any([fixture.signal, stop.signal]));
  return async () => {
    stop.abort();
    await fixture.until(running);
  };
}

test("an object that a script fails on keeps its last result, the others are evaluated, also after a restart", async (t) => {
  const fixture = await openFleetWith(t, {
    lua: eventSourceYaml("lua", { evaluate: httpsScript, namespace: "default" }, { collectResources: true }),
  });
  const c1 = fixture.managed("c1");
  const events: string[] = [];
  const telemetry = {
    ...fixture.context.telemetry,
    recordEvent: (_: unknown, { reason, message }: { reason: string; message: string }) => void events.push(`${reason}: ${message}`),
  };
  const end = begin(fixture, { telemetry });
  await applyObjects(fixture, c1, serviceObject("a", {}, 443), serviceObject("b", {}, 80));
  await fixture.run();
  assert.equal(await reportedNames(fixture, "lua"), "a kubernetes");
  await applyObjects(fixture, c1, serviceObject("a", {}, 666), serviceObject("b", {}, 666), serviceObject("c", {}, 443));
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "lua"), "a c kubernetes");
  assert.match(await eventSourceStatusText(fixture, "lua"), /^c1 3; a: .*no such port.*; b: .*no such port/);
  assert.match(events.join("\n"), /^EvaluationFailed: cluster mgmt\/c1: Service default\/a: .*no such port/);
  await end();
  fixture.written.length = 0;
  begin(fixture);
  await fixture.advance(60_000);
  assert.equal(await reportedNames(fixture, "lua"), "a c kubernetes");
  assert.deepEqual(fixture.written, [], "a restart in a steady state writes nothing");
  await applyObjects(fixture, c1, serviceObject("a", {}, 80), serviceObject("b", {}, 443));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "lua"), "b c kubernetes");
  assert.equal(await eventSourceStatusText(fixture, "lua"), "c1 3");
});

test("an unreachable cluster keeps its report, before and after a restart", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
  const c1 = fixture.managed("c1");
  await applyObjects(fixture, c1, serviceObject("a", { app: "web" }));
  const end = begin(fixture);
  await fixture.run();
  assert.equal(await reportedNames(fixture, "web"), "a");
  fixture.unreachable.add("c1");
  fixture.context.fleet.probeNow(`${fixture.type}/mgmt/c1`);
  await fixture.advance(600_000);
  assert.equal(await reportedNames(fixture, "web"), "a");
  await end();
  begin(fixture);
  await fixture.advance(60_000);
  assert.equal(await reportedNames(fixture, "web"), "a");
  fixture.unreachable.delete("c1");
  await fixture.advance(120_000);
  await applyObjects(fixture, c1, serviceObject("b", { app: "web" }));
  await fixture.advance(60_000);
  assert.equal(await reportedNames(fixture, "web"), "a b");
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 2");
});

test("a kind that may not be read gives no empty report", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
  const c1 = fixture.managed("c1");
  await applyObjects(fixture, c1, serviceObject("a", { app: "web" }));
  fixture.forbids = (cluster, path) => cluster === "c1" && path.includes("/services");
  await fixture.run(runEventSourceController);
  await fixture.advance(60_000);
  assert.equal(await reportedNames(fixture, "web"), undefined);
  assert.match(await eventSourceStatusText(fixture, "web"), /^c1 0; .*you may not/);
  fixture.forbids = () => false;
  await fixture.advance(600_000);
  assert.equal(await reportedNames(fixture, "web"), "a");
});

test("scripts that never end are retried, and do not delay others", async (t) => {
  const endless = "function evaluate() while true do end end";
  const fixture = await openFleetWith(t, {
    endless: eventSourceYaml("endless", { evaluate: endless, ...appSelector("web") }),
    web: webEventSource,
  });
  for (let index = 0; index < 8; index++) await applyObjects(fixture, fixture.managed("c1"), serviceObject(`s${index}`, { app: "web" }));
  await fixture.run(runEventSourceController);
  assert.equal((await reportedNames(fixture, "web"))?.split(" ").length, 8);
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "endless"), "");
  assert.equal(
    (await eventSourceStatusText(fixture, "endless")).split("; ").length,
    1 + 8,
    "each of them was tried, and none waits any more",
  );
});

/** A replica with a fleet of its own, which owns no cluster until `attend` is called. */
function replica(fixture: EmbeddedFleet): { readonly context: ControllerContext; attend(name: string): () => Promise<void> } {
  const fleet = new Fleet(fixture.hub, { open: inProcessOpener((name) => fixture.managed(name)), manageAll: false });
  const context = { ...fixture.context, fleet, cache: new SharedCache(fixture.hub, fixture.signal) };
  void fleet.run(fixture.signal);
  void runEventSourceController(context, fixture.signal);
  const attend = (name: string) => {
    const stop = new AbortController();
    const attending = fleet.manage(`Sveltos/mgmt/${name}`, AbortSignal.any([stop.signal, fixture.signal]));
    return async () => {
      stop.abort();
      await fixture.until(attending);
    };
  };
  return { context, attend };
}

test("replicas share the clusters, write one status together and lose no report when a cluster changes hands", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.apply(webEventSource + eventTriggerYaml("t", "web"));
  for (const name of ["c1", "c2", "c3"]) await applyObjects(fixture, fixture.managed(name), serviceObject(`of-${name}`, { app: "web" }));
  const [one, two] = [replica(fixture), replica(fixture)];
  await fixture.advance(1000);
  assert.equal(await reportedNames(fixture, "web", "c1"), undefined, "nobody attends to it");
  const leave = one.attend("c1");
  two.attend("c2");
  two.attend("c3");
  await fixture.advance(5000);
  for (const name of ["c1", "c2", "c3"]) assert.equal(await reportedNames(fixture, "web", name), `of-${name}`);
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 1\nc2 1\nc3 1");
  fixture.written.length = 0;
  await leave();
  two.attend("c1");
  await fixture.advance(5000);
  assert.deepEqual(fixture.written, [], "a cluster changes hands and nothing else changes");
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("more", { app: "web" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web", "c1"), "more of-c1");
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 2\nc2 1\nc3 1");
});

test("a burst of events is few writes of a report, and fewer of the status", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  await fixture.apply(webEventSource + eventTriggerYaml("t", "web"));
  await fixture.run(runEventSourceController);
  await fixture.advance(5000);
  fixture.written.length = 0;
  const c1 = fixture.managed("c1");
  for (let index = 0; index < 20; index++) {
    await fixture.until(c1.create(serviceObject(`s${index}`, { app: "web" })));
    await fixture.advance(50);
  }
  const reports = fixture.written.filter((line) => line.includes("/eventreports/"));
  assert.equal(reports.length, 20, "each is reported at once");
  await fixture.advance(5000);
  const statuses = fixture.written.filter((line) => line.includes("/eventsources/"));
  assert.ok(statuses.length <= 3, `${statuses.length} writes of the status within about a second`);
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 20");
});

test("a report that the management cluster rejects is a failure of the EventSource, and written when it is accepted", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
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
    await fixture.until(fixture.hub.patch(ref, { type: "json", patch }));
    await fixture.advance(1000);
  };
  await limitNames(1);
  await fixture.run(runEventSourceController);
  assert.equal(await reportedNames(fixture, "web"), undefined);
  assert.match(await eventSourceStatusText(fixture, "web"), /^c1 0; \*: .*eventSourceName.*Too long/);
  await limitNames(100);
  await fixture.apply(eventSourceYaml("web", appSelector("web"), { collectResources: true }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "");
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 0");
});

test("killed after any write and started again, it continues", async (t) => {
  const fixture = await openFleetWith(t, { web: webEventSource });
  await fixture.run();
  const expected: string[] = [];
  for (let round = 0; round < 5; round++) {
    let writes = 0;
    const stop = new AbortController();
    fixture.afterWrite = () => {
      if (++writes > round) stop.abort();
    };
    const killed = runEventSourceController(fixture.context, AbortSignal.any([fixture.signal, stop.signal]));
    await applyObjects(fixture, fixture.managed("c1"), serviceObject(`s${round}`, { app: "web" }));
    await fixture.advance(1000);
    stop.abort();
    await fixture.until(killed);
    fixture.afterWrite = () => {};
    const end = begin(fixture);
    await fixture.advance(2000);
    expected.push(`s${round}`);
    assert.equal(await reportedNames(fixture, "web"), expected.join(" "));
    assert.equal(await eventSourceStatusText(fixture, "web"), `c1 ${expected.length}`);
    await end();
  }
});
