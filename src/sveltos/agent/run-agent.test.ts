import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import {
  eventSourceYaml,
  applyObjects,
  reportedNames,
  serviceObject,
  eventSourceStatusText,
  eventTriggerYaml,
} from "../../../test/support/event-objects.ts";
import { gvkOf } from "../api/index.ts";
import { stringAt } from "../../core/object/index.ts";
import { runEventSourceController } from "../controllers/event-source/index.ts";
import { runAgent } from "./index.ts";

const web = eventSourceYaml("web", { labelFilters: [{ key: "app", operation: "Equal", value: "web" }] }, { collectResources: true });
const picky = eventSourceYaml("picky", {
  evaluate: `function evaluate()
    if obj.metadata.labels.broken == "yes" then error("cannot say") end
    return { matching = true }
  end`,
});

/** Starts an agent in a managed cluster; the answer ends it. */
function start(fixture: EmbeddedFleet, name: string, identity = `agent-${name}`): () => Promise<void> {
  const stop = new AbortController();
  const running = runAgent(fixture.managed(name), { identity }, AbortSignal.any([stop.signal, fixture.signal]));
  return async () => {
    stop.abort();
    await fixture.until(running);
  };
}

const managedReport = (name: string) => ({ ...gvkOf("EventReport"), namespace: "projectsveltos", name });

test("an agent evaluates the EventSources of the controller, which collects its reports", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => fixture.close());
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("a", { app: "web" }), serviceObject("b"));
  await applyObjects(fixture, fixture.managed("c2"), serviceObject("z", { app: "web" }));
  await fixture.apply(web + eventTriggerYaml("t", "web"));
  start(fixture, "c1");
  await fixture.advance(2000);
  await fixture.run(runEventSourceController);
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "a");
  assert.equal(await reportedNames(fixture, "web", "c2"), "z", "without an agent it is evaluated from outside");
  const existing = await fixture.get(managedReport("web"), fixture.managed("c1"));
  assert.equal(stringAt(existing, "status.phase"), "Processed");
  assert.equal(stringAt(existing, "spec.clusterName"), "");
  assert.equal(
    await fixture
      .get(managedReport("web"), fixture.managed("c1"))
      .then((report) => report?.metadata.labels?.["projectsveltos.io/eventsource-name"]),
    "web",
  );
  await applyObjects(fixture, fixture.managed("c1"), serviceObject("b", { app: "web" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "a b");
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 2\nc2 1");
  assert.equal(await eventSourceStatusText(fixture, "web", fixture.managed("c1")), "here 2");
  fixture.written.length = 0;
  await fixture.advance(60_000);
  assert.deepEqual(
    fixture.written.filter((line) => !line.includes("/leases/")),
    [],
    "a steady state writes nothing",
  );
  await fixture.until(fixture.hub.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "t" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), undefined);
  assert.equal(await fixture.get(managedReport("web"), fixture.managed("c1")), undefined);
  assert.equal(await fixture.get({ ...gvkOf("EventSource"), namespace: "", name: "web" }, fixture.managed("c1")), undefined);
});

test("a switch between agent and controller keeps all matches, also of objects that fail to evaluate", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  const c1 = fixture.managed("c1");
  await applyObjects(fixture, c1, serviceObject("a", { n: "1" }), serviceObject("b", { n: "2" }));
  await fixture.apply(picky + eventTriggerYaml("t", "picky"));
  await fixture.run(runEventSourceController);
  assert.equal(await reportedNames(fixture, "picky"), "a b kubernetes");
  await applyObjects(fixture, c1, serviceObject("a", { broken: "yes" }));
  await fixture.advance(2000);
  const end = start(fixture, "c1");
  await fixture.advance(5000);
  assert.equal(await reportedNames(fixture, "picky"), "a b kubernetes");
  assert.match(await eventSourceStatusText(fixture, "picky"), /^c1 3; a: .*cannot say.*its last verdict holds/);
  await applyObjects(fixture, c1, serviceObject("c", { n: "3" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "picky"), "a b c kubernetes");
  await end();
  await fixture.advance(30_000);
  assert.equal(await fixture.get(managedReport("picky"), c1), undefined);
  await applyObjects(fixture, c1, serviceObject("d", { n: "4" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "picky"), "a b c d kubernetes");
  assert.match(await eventSourceStatusText(fixture, "picky"), /^c1 5; a: .*cannot say/);
});

test("one of two agents leads, and the other takes over when it ends", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  const c1 = fixture.managed("c1");
  await applyObjects(fixture, c1, serviceObject("a", { app: "web" }));
  await fixture.apply(web + eventTriggerYaml("t", "web"));
  const end = start(fixture, "c1", "one");
  await fixture.advance(1000);
  start(fixture, "c1", "two");
  await fixture.run(runEventSourceController);
  await fixture.advance(2000);
  fixture.written.length = 0;
  await end();
  await fixture.advance(2000);
  await applyObjects(fixture, c1, serviceObject("b", { app: "web" }));
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "web"), "a b");
  assert.deepEqual(
    fixture.written.filter((line) => line.startsWith("DELETE") && !line.includes("/leases/")),
    [],
  );
});

const agentOf = async (fixture: EmbeddedFleet) => (await fixture.get(clusterRef(fixture)))?.metadata.annotations?.["sluice.dev/agent"];
const clusterRef = ({ type }: EmbeddedFleet) => {
  const kind = type === "Sveltos" ? gvkOf("SveltosCluster") : { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster" };
  return { ...kind, namespace: "mgmt", name: "c1" };
};

/** One that dies lets go of nothing: its Lease stays as it was. */
async function leaveLease(fixture: EmbeddedFleet, renewTime: string): Promise<void> {
  const metadata = { name: "sluice-agent", namespace: "projectsveltos" };
  const spec = { holderIdentity: "dead", leaseDurationSeconds: 15, renewTime };
  await fixture.until(fixture.managed("c1").create({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec }));
}

for (const type of ["Sveltos", "Capi"] as const) {
  test(`the controller takes over from an agent that died, says so on the ${type} cluster, and hands over to the next one`, async (t) => {
    const fixture = await EmbeddedFleet.open({ type });
    t.after(() => fixture.close());
    const c1 = fixture.managed("c1");
    await applyObjects(fixture, c1, serviceObject("a", { app: "web" }));
    await fixture.apply(web + eventTriggerYaml("t", "web"));
    const end = start(fixture, "c1");
    await fixture.run(runEventSourceController);
    await fixture.advance(2000);
    assert.equal(await eventSourceStatusText(fixture, "web"), "c1 1");
    assert.equal(await agentOf(fixture), "running");
    await end();
    const diedAt = new Date(fixture.clock.now()).toISOString().replace("Z", "000Z");
    await leaveLease(fixture, diedAt);
    await applyObjects(fixture, c1, serviceObject("b", { app: "web" }));
    await fixture.advance(14_000);
    assert.equal(await reportedNames(fixture, "web"), "a");
    await fixture.advance(2000);
    assert.equal(await reportedNames(fixture, "web"), "a b", "what happened meanwhile is evaluated from outside");
    assert.equal(await eventSourceStatusText(fixture, "web"), "c1 2");
    assert.equal(await agentOf(fixture), `gone since ${diedAt.replace("000Z", "Z")}`);
    fixture.written.length = 0;
    await fixture.advance(120_000);
    assert.deepEqual(
      fixture.written.filter((line) => !line.includes("/leases/")),
      [],
      "nothing goes back and forth",
    );
    start(fixture, "c1", "next");
    await fixture.advance(20_000);
    await applyObjects(fixture, c1, serviceObject("c", { app: "web" }));
    await fixture.advance(2000);
    assert.equal(await reportedNames(fixture, "web"), "a b c");
    assert.equal(await agentOf(fixture), "running");
    assert.equal(stringAt(await fixture.get(managedReport("web"), c1), "status.phase"), "Processed", "by the agent");
  });
}

test("an agent whose cluster does not answer for a minute is not gone", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  await fixture.apply(web + eventTriggerYaml("t", "web"));
  start(fixture, "c1");
  await fixture.run(runEventSourceController);
  await fixture.advance(2000);
  const said = new Set<string | undefined>();
  for (let second = 0; second < 120; second++) {
    if (second === 5) fixture.unreachable.add("c1");
    if (second === 65) fixture.unreachable.delete("c1");
    await fixture.advance(1000);
    said.add(await agentOf(fixture));
  }
  assert.deepEqual([...said], ["running"]);
});

test("a controller that starts beside the old Lease of a dead agent does not wait for that agent's reports", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  const c1 = fixture.managed("c1");
  await fixture.until(c1.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "projectsveltos" } }));
  await leaveLease(fixture, new Date(fixture.clock.now() - 3_600_000).toISOString().replace("Z", "000Z"));
  await applyObjects(fixture, c1, serviceObject("a", { app: "web" }));
  await fixture.apply(web + eventTriggerYaml("t", "web"));
  await fixture.run(runEventSourceController);
  await fixture.advance(16_000);
  assert.equal(await reportedNames(fixture, "web"), "a");
  assert.match((await agentOf(fixture)) ?? "", /^gone since /);
});

test("an agent evaluates copies only, and reports invalid EventSources", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  const c1 = fixture.managed("c1");
  await applyObjects(fixture, c1, serviceObject("a", { app: "web" }));
  start(fixture, "c1");
  await fixture.advance(2000);
  await fixture.apply(eventSourceYaml("own", {}), c1);
  await fixture.apply(eventSourceYaml("own", {}) + eventTriggerYaml("t", "own") + web + eventTriggerYaml("u", "web"));
  await fixture.run(runEventSourceController);
  await fixture.advance(2000);
  assert.equal(await reportedNames(fixture, "own"), undefined);
  assert.match(await eventSourceStatusText(fixture, "own"), /^c1 0; \*: the cluster has an EventSource of this name that is no copy/);
  assert.equal(await reportedNames(fixture, "web"), "a");
  await fixture.apply(eventSourceYaml("web", {}, { messagingMatchCriteria: [{ subject: "x" }] }));
  await applyObjects(fixture, c1, serviceObject("b", { app: "web" }));
  await fixture.advance(3000);
  assert.equal(await reportedNames(fixture, "web"), "a");
  assert.match(await eventSourceStatusText(fixture, "web", c1), /not built into Sluice/);
  assert.match(await eventSourceStatusText(fixture, "web"), /^not built into Sluice.*\nc1 1; \*: not built into Sluice/);
  await fixture.apply(eventSourceYaml("web", { labelFilters: [{ key: "app", operation: "Has" }] }));
  await fixture.advance(3000);
  assert.equal(await reportedNames(fixture, "web"), "a b");
  assert.equal(await eventSourceStatusText(fixture, "web"), "c1 2");
});
