import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import { eventSource, put, reported, service, stated, trigger } from "../../../test/support/event-objects.ts";
import { gvkOf } from "../api/index.ts";
import { stringAt } from "../../core/object/index.ts";
import { keepEvents } from "../controllers/event-source/index.ts";
import { runAgent } from "./index.ts";

const web = eventSource("web", { labelFilters: [{ key: "app", operation: "Equal", value: "web" }] }, { collectResources: true });
const picky = eventSource("picky", {
  evaluate: `function evaluate()
    if obj.metadata.labels.broken == "yes" then error("cannot say") end
    return { matching = true }
  end`,
});

/** Starts an agent in a managed cluster; the answer ends it. */
function start(lab: EmbeddedFleet, name: string, identity = `agent-${name}`): () => Promise<void> {
  const stop = new AbortController();
  const running = runAgent(lab.managed(name), { identity }, AbortSignal.any([stop.signal, lab.signal]));
  return async () => {
    stop.abort();
    await lab.until(running);
  };
}

const managedReport = (name: string) => ({ ...gvkOf("EventReport"), namespace: "projectsveltos", name });

test("an agent evaluates what the controller gives it, and its reports are carried home", async (t) => {
  const lab = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => lab.close());
  await put(lab, lab.managed("c1"), service("a", { app: "web" }), service("b"));
  await put(lab, lab.managed("c2"), service("z", { app: "web" }));
  await lab.apply(web + trigger("t", "web"));
  start(lab, "c1");
  await lab.advance(2000);
  await lab.run(keepEvents);
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "a");
  assert.equal(await reported(lab, "web", "c2"), "z", "without an agent it is evaluated from outside");
  const there = await lab.get(managedReport("web"), lab.managed("c1"));
  assert.equal(stringAt(there, "status.phase"), "Processed");
  assert.equal(stringAt(there, "spec.clusterName"), "");
  assert.equal(
    await lab
      .get(managedReport("web"), lab.managed("c1"))
      .then((report) => report?.metadata.labels?.["projectsveltos.io/eventsource-name"]),
    "web",
  );
  await put(lab, lab.managed("c1"), service("b", { app: "web" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "a b");
  assert.equal(await stated(lab, "web"), "c1 2\nc2 1");
  assert.equal(await stated(lab, "web", lab.managed("c1")), "here 2");
  lab.written.length = 0;
  await lab.advance(60_000);
  assert.deepEqual(
    lab.written.filter((line) => !line.includes("/leases/")),
    [],
    "a steady state writes nothing",
  );
  await lab.until(lab.hub.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "t" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), undefined);
  assert.equal(await lab.get(managedReport("web"), lab.managed("c1")), undefined);
  assert.equal(await lab.get({ ...gvkOf("EventSource"), namespace: "", name: "web" }, lab.managed("c1")), undefined);
});

test("a switch between agent and controller loses nothing, also of what cannot be judged any more", async (t) => {
  const lab = await EmbeddedFleet.open();
  t.after(() => lab.close());
  const c1 = lab.managed("c1");
  await put(lab, c1, service("a", { n: "1" }), service("b", { n: "2" }));
  await lab.apply(picky + trigger("t", "picky"));
  await lab.run(keepEvents);
  assert.equal(await reported(lab, "picky"), "a b kubernetes");
  await put(lab, c1, service("a", { broken: "yes" }));
  await lab.advance(2000);
  const end = start(lab, "c1");
  await lab.advance(5000);
  assert.equal(await reported(lab, "picky"), "a b kubernetes");
  assert.match(await stated(lab, "picky"), /^c1 3; a: .*cannot say.*its last verdict holds/);
  await put(lab, c1, service("c", { n: "3" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "picky"), "a b c kubernetes");
  await end();
  await lab.advance(30_000);
  assert.equal(await lab.get(managedReport("picky"), c1), undefined);
  await put(lab, c1, service("d", { n: "4" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "picky"), "a b c d kubernetes");
  assert.match(await stated(lab, "picky"), /^c1 5; a: .*cannot say/);
});

test("of two agents one works, and the other goes on when it ends", async (t) => {
  const lab = await EmbeddedFleet.open();
  t.after(() => lab.close());
  const c1 = lab.managed("c1");
  await put(lab, c1, service("a", { app: "web" }));
  await lab.apply(web + trigger("t", "web"));
  const end = start(lab, "c1", "one");
  await lab.advance(1000);
  start(lab, "c1", "two");
  await lab.run(keepEvents);
  await lab.advance(2000);
  lab.written.length = 0;
  await end();
  await lab.advance(2000);
  await put(lab, c1, service("b", { app: "web" }));
  await lab.advance(2000);
  assert.equal(await reported(lab, "web"), "a b");
  assert.deepEqual(
    lab.written.filter((line) => line.startsWith("DELETE") && !line.includes("/leases/")),
    [],
  );
});

test("an agent that is not heard of any more is told of, and what was reported stays", async (t) => {
  const lab = await EmbeddedFleet.open();
  t.after(() => lab.close());
  const c1 = lab.managed("c1");
  await put(lab, c1, service("a", { app: "web" }));
  await lab.apply(web + trigger("t", "web"));
  const end = start(lab, "c1");
  await lab.run(keepEvents);
  await lab.advance(2000);
  assert.equal(await stated(lab, "web"), "c1 1");
  await end();
  // One that dies lets go of nothing.
  const spec = { holderIdentity: "dead", leaseDurationSeconds: 15 };
  await lab.until(
    c1.create({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "sluice-agent", namespace: "projectsveltos" },
      spec,
    }),
  );
  await lab.advance(14_000);
  assert.equal(await stated(lab, "web"), "c1 1");
  await lab.advance(2000);
  assert.match(await stated(lab, "web"), /^c1 1; \*: the agent of the cluster no longer renews its Lease/);
  assert.equal(await reported(lab, "web"), "a");
  start(lab, "c1", "next");
  await lab.advance(20_000);
  assert.equal(await stated(lab, "web"), "c1 1");
});

test("an agent looks at copies only, and says what it refuses", async (t) => {
  const lab = await EmbeddedFleet.open();
  t.after(() => lab.close());
  const c1 = lab.managed("c1");
  await put(lab, c1, service("a", { app: "web" }));
  start(lab, "c1");
  await lab.advance(2000);
  await lab.apply(eventSource("own", {}), c1);
  await lab.apply(eventSource("own", {}) + trigger("t", "own") + web + trigger("u", "web"));
  await lab.run(keepEvents);
  await lab.advance(2000);
  assert.equal(await reported(lab, "own"), undefined);
  assert.match(await stated(lab, "own"), /^c1 0; \*: the cluster has an EventSource of this name that is no copy/);
  assert.equal(await reported(lab, "web"), "a");
  await lab.apply(eventSource("web", {}, { messagingMatchCriteria: [{ subject: "x" }] }));
  await put(lab, c1, service("b", { app: "web" }));
  await lab.advance(3000);
  assert.equal(await reported(lab, "web"), "a");
  assert.match(await stated(lab, "web", c1), /not built into Sluice/);
  assert.match(await stated(lab, "web"), /^not built into Sluice.*\nc1 1; \*: not built into Sluice/);
  await lab.apply(eventSource("web", { labelFilters: [{ key: "app", operation: "Has" }] }));
  await lab.advance(3000);
  assert.equal(await reported(lab, "web"), "a b");
  assert.equal(await stated(lab, "web"), "c1 2");
});
