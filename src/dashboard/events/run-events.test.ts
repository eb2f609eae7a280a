import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { openTestCluster, viewOf, type ViewUnderTest } from "../../../test/support/dashboard/view-under-test.ts";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import { applyObjects, eventSourceYaml, eventTriggerYaml, httpsScript, serviceObject } from "../../../test/support/event-objects.ts";
import {
  runEventSourceController,
  runProfileController,
  runSummaryController,
  runTriggerController,
} from "../../sveltos/controllers/index.ts";
import type { EventFlowItem, EventNodeItem, EventsView, EventSourceItem, EventTriggerItem, EventClusterItem } from "../api/index.ts";

const content = `
apiVersion: v1
kind: ConfigMap
metadata: {name: content, namespace: default, annotations: {projectsveltos.io/instantiate: ok}}
data:
  all.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "for-{{ .Resource.metadata.name }}", namespace: default}
`;
const policyRefs = [{ kind: "ConfigMap", namespace: "default", name: "content" }];
/** Every cluster has a Service of the API server on port 443. */
const labelFilters = [{ key: "provider", operation: "Different", value: "kubernetes" }];
const https = eventSourceYaml("https", { labelFilters, evaluate: httpsScript }, { collectResources: true });
const trigger = eventTriggerYaml("on-https", "https", { oneForEvent: true, policyRefs });
const cluster = { kind: "SveltosCluster", namespace: "mgmt", name: "c1" } as const;

async function openFleet(t: TestContext, ...yaml: readonly string[]): Promise<EmbeddedFleet> {
  const fleet = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => fleet.close());
  for (const each of yaml) await fleet.apply(each);
  await fleet.run(runEventSourceController, runTriggerController, runProfileController, runSummaryController);
  await fleet.advance(10_000);
  return fleet;
}

function eventsOf(fleet: EmbeddedFleet, scope: Pick<EventsView, "trigger" | "cluster"> = {}): ViewUnderTest {
  return viewOf({ type: "events", context: "hub", ...scope }, { clock: fleet.clock, cluster: fleet.hub });
}

function notices({ live }: ViewUnderTest): string {
  return live.notices.map(({ text }) => text).join("\n");
}

/** `EventReport c1 ready (1 matches)`, in the order of the way. */
function nodes(view: ViewUnderTest): readonly string[] {
  return [...view.items<EventNodeItem>("node").values()].map(
    ({ step, title, state, word, because }) =>
      `${step} ${step === "Profile" ? "…" : title} ${state}${word === undefined ? "" : ` (${word})`}${because === undefined ? "" : `: ${because}`}`,
  );
}

test("an event is followed from the object that matches to what is deployed for it, and back", async (t) => {
  const fleet = await openFleet(t, https, content, trigger);
  const all = eventsOf(fleet);
  const one = eventsOf(fleet, { trigger: { kind: "EventTrigger", name: "on-https" }, cluster });
  t.after(all.end);
  t.after(one.end);
  await fleet.advance(1000);
  const item = () => all.items<EventTriggerItem>("trigger").get("trigger/EventTrigger/on-https");
  assert.deepEqual([item()?.state, item()?.counts, item()?.matches], ["idle", { idle: 2 }, 0]);
  assert.deepEqual(nodes(one), [
    "EventSource https ready (evaluated)",
    "EventReport c1 waiting (no match)",
    "EventTrigger on-https waiting (nothing to deploy)",
  ]);

  const appearedMs = fleet.clock.now();
  await applyObjects(fleet, fleet.managed("c1"), serviceObject("web", {}, 443), serviceObject("plain", {}, 80));
  await fleet.advance(10_000);
  assert.deepEqual([item()?.state, item()?.counts, item()?.matches, item()?.profiles], ["ready", { ready: 1, idle: 1 }, 1, 1]);
  assert.deepEqual(nodes(one), [
    "EventSource https ready (evaluated)",
    "EventReport c1 ready (1 matches)",
    "EventTrigger on-https ready (provisioned)",
    "Profile … ready (made)",
    "ClusterSummary c1 ready (provisioned)",
    "Objects configmap/for-web ready (deployed)",
  ]);
  const report = [...one.items<EventNodeItem>("node").values()].find(({ step }) => step === "EventReport");
  assert.deepEqual(
    report?.matches?.map(({ ref: { kind, name }, sinceMs = 0 }) => [kind, name, sinceMs - appearedMs < 10_000]),
    [["Service", "web", true]],
  );
  assert.equal(one.items("edge").size, 5);
  assert.deepEqual(
    [...all.items<EventClusterItem>("cluster").values()].map(({ name, state, matches }) => [name, state, matches]).toSorted(),
    [
      ["c1", "ready", 1],
      ["c2", "idle", 0],
    ],
  );

  await fleet.until(fleet.managed("c1").delete({ group: "", version: "v1", kind: "Service", namespace: "default", name: "web" }));
  await fleet.advance(60_000);
  assert.deepEqual([item()?.state, item()?.profiles], ["idle", 0]);
  assert.equal(one.items("node").size, 3);
  assert.equal(notices(all) + notices(one), "");
});

test("a script that fails is shown with the line that fails, and what it concerns", async (t) => {
  const fleet = await openFleet(t, https, content, trigger);
  await applyObjects(fleet, fleet.managed("c1"), serviceObject("bad", {}, 666));
  const view = eventsOf(fleet, { cluster });
  const list = eventsOf(fleet);
  t.after(view.end);
  t.after(list.end);
  await fleet.advance(10_000);
  const source = [...view.items<EventNodeItem>("node").values()].find(({ step }) => step === "EventSource");
  assert.equal(source?.state, "failed");
  const [failure] = source.failures ?? [];
  assert.equal(failure?.resource?.name, "bad");
  assert.match(failure.message, /no such port/);
  assert.equal(failure.at?.path, "spec.resourceSelectors[0].evaluate");
  assert.match(failure.at?.lines[failure.at.line - failure.at.first] ?? "", /port == 666 then error/);
  const [flow] = view.items<EventFlowItem>("flow").values();
  assert.deepEqual([flow?.state, flow?.cluster.name], ["failed", "c1"]);
  assert.match(flow?.because ?? "", /no such port/);
  const both = eventsOf(fleet, { trigger: { kind: "EventTrigger", name: "on-https" } });
  t.after(both.end);
  await fleet.advance(1000);
  const shared = both.items<EventNodeItem>("node").get("node/source:https");
  assert.equal(shared?.state, "failed", "of two clusters the one that fails counts");
  const sources = [...list.items<EventSourceItem>("source").values()].map(({ name, state, failing, triggers }) => [
    name,
    state,
    failing,
    triggers,
  ]);
  assert.deepEqual(sources, [["https", "failed", 1, 1]]);
});

test("a source that nobody uses, a trigger without a source and one without a cluster say so", async (t) => {
  const lonely = eventSourceYaml("lonely", {});
  const nowhere = eventTriggerYaml("nowhere", "https", { sourceClusterSelector: { matchLabels: { env: "none" } }, policyRefs });
  const fleet = await openFleet(t, https, lonely, content, eventTriggerYaml("lost", "none", { policyRefs }), nowhere);
  const view = eventsOf(fleet);
  t.after(view.end);
  await fleet.advance(5000);
  const triggers = [...view.items<EventTriggerItem>("trigger").values()].map(({ name, state, because }) => `${name} ${state}: ${because}`);
  assert.match(triggers.join("\n"), /lost failed: .*EventSource none does not exist/);
  assert.match(triggers.join("\n"), /nowhere (waiting|failed): .*no .*cluster/);
  const source = view.items<EventSourceItem>("source").get("source/lonely");
  assert.deepEqual([source?.state, source?.because], ["waiting", "no EventTrigger names it, so that it is not evaluated"]);
});

test("EventBasedAddOns are followed as EventTriggers are", async (t) => {
  const addOn = {
    apiVersion: "lib.projectsveltos.io/v1alpha1",
    kind: "EventBasedAddOn",
    metadata: { name: "old" },
    spec: { sourceClusterSelector: "env=fv", eventSourceName: "https", oneForEvent: true, policyRefs },
  };
  const fleet = await openFleet(t, https, content, JSON.stringify(addOn));
  await applyObjects(fleet, fleet.managed("c2"), serviceObject("web", {}, 443));
  const view = eventsOf(fleet, { trigger: { kind: "EventBasedAddOn", name: "old" } });
  t.after(view.end);
  await fleet.advance(10_000);
  const flows = [...view.items<EventFlowItem>("flow").values()].map((flow) => [flow.cluster.name, flow.state, flow.matches]).toSorted();
  assert.deepEqual(flows, [
    ["c1", "idle", 0],
    ["c2", "ready", 1],
  ]);
});

test("what may not be read is said, and the rest of the way is shown", async (t) => {
  const fleet = await openFleet(t, https, content, trigger);
  await applyObjects(fleet, fleet.managed("c1"), serviceObject("web", {}, 443));
  await fleet.advance(10_000);
  let hidden = "/eventsources";
  fleet.forbids = (name, path) => name === "hub" && hidden !== "" && path.includes(hidden);
  const view = eventsOf(fleet, { cluster });
  t.after(view.end);
  await fleet.advance(1000);
  assert.match(notices(view), /^You may not read EventSource: what they say/);
  assert.equal([...view.items<EventFlowItem>("flow").values()][0]?.state, "ready");
  assert.match(nodes(view)[0] ?? "", /EventSource https waiting \(may not be read\)/);
  hidden = "";
  await fleet.advance(60_000);
  assert.equal(notices(view), "");
  assert.match(nodes(view)[0] ?? "", /EventSource https ready/);
});

test("a cluster without Sveltos says so", async (t) => {
  const at = openTestCluster();
  const view = viewOf({ type: "events", context: "hub" }, at);
  t.after(view.end);
  await at.clock.advance(1000);
  assert.match(notices(view), /^this cluster does not serve Sveltos' kinds/);
});
