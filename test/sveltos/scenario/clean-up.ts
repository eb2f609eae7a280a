/** What is removed when its cause is gone, and what is kept when there is no cause to remove it. */
import assert from "node:assert/strict";
import { eventReportName } from "../../../src/sveltos/api/index.ts";
import { equal, type KubeObject, type Fields } from "../../../src/core/object/index.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";
import {
  contentConfigMap,
  coreRef,
  eventSource,
  configMapRef,
  valueConfigMapText,
  sveltosRef,
  profile,
  matchingNamesContent,
  serviceObject,
  trigger,
} from "../../support/sveltos-objects.ts";

const labelled = (name: string, more: Fields = {}): KubeObject =>
  eventSource(name, { selector: { matchLabels: { event: name } }, ...more });

/** Applies an event, the trigger that deploys something for it, and an unrelated object. */
async function begin(context: ScenarioContext, name: string, more: Fields = {}): Promise<string | undefined> {
  const { hub, one } = context;
  await context.apply(
    hub,
    contentConfigMap("bystander", [valueConfigMapText("bystander", "1")]),
    profile("bystander", { clusterSelector: { matchLabels: { stays: "yes" } } }),
  );
  await context.apply(one, serviceObject("a", { event: name }));
  await context.apply(hub, labelled(name, more), matchingNamesContent(name), trigger(name));
  await context.eventuallyData({ [name]: "a" });
  return uidOf(context, name);
}

async function uidOf(context: ScenarioContext, name: string): Promise<string | undefined> {
  return (await context.find(context.one, configMapRef(name)))?.metadata.uid;
}

/** Each cause whose removal removes what was deployed. */
const removals: Readonly<Record<string, (context: ScenarioContext) => Promise<void>>> = {
  trigger: (context) => context.delete(context.hub, sveltosRef("EventTrigger", "reason")),
  source: (context) => context.delete(context.hub, sveltosRef("EventSource", "reason")),
  object: (context) => context.delete(context.one, coreRef("Service", "a")),
  "object's label": (context) => context.patch(context.one, coreRef("Service", "a"), { metadata: { labels: { event: null } } }),
  "cluster's label": (context) => context.fixture.relabel({ env: "none" }),
};

const reasons = fleetScenario(
  "what was deployed goes with the trigger, the source, the object, its label or the cluster's; nothing else does",
  async (context) => {
    await context.fixture.relabel({ stays: "yes" });
    for (const [what, takeAway] of Object.entries(removals)) {
      await begin(context, "reason");
      await context.eventuallyData({ bystander: "1" });
      const uid = await uidOf(context, "bystander");
      await takeAway(context);
      await context.eventuallyData({ reason: undefined });
      assert.equal(await uidOf(context, "bystander"), uid, what);
      await context.fixture.relabel({ env: "fv" });
    }
  },
);

const cluster = fleetScenario("a cluster that leaves the fleet takes away what it was the reason for elsewhere", async (context) => {
  const { hub, one, two, fixture } = context;
  const selectors = { sourceClusterSelector: { matchLabels: { dep: "eng" } }, destinationClusterSelector: { matchLabels: { env: "fv" } } };
  await context.apply(two, serviceObject("b", { event: "remote" }));
  await context.apply(hub, labelled("remote"), matchingNamesContent("remote"), trigger("remote", selectors));
  await context.apply(
    hub,
    contentConfigMap("own", [valueConfigMapText("own", "1")]),
    profile("own", { clusterSelector: { matchLabels: { dep: "eng" } } }),
  );
  await context.eventuallyData({ remote: "b" }, one);
  await context.eventuallyData({ own: "1" }, two);
  await fixture.deregisterSecond();
  await context.eventuallyData({ remote: undefined }, one);
  await context.eventuallyGone(hub, sveltosRef("SveltosCluster", fixture.ids[1].name, fixture.ids[1].namespace));
  for (let turn = 0; (await context.list(hub, "ClusterSummary")).length > 0; turn++) {
    assert.ok(turn < 100, "its ClusterSummaries go");
    await fixture.pause();
  }
  assert.equal(await context.dataOf("own", two), "1", "the controller cannot reach it any more");
  await fixture.registerSecond({ dep: "eng" });
  await context.eventuallyData({ remote: "b" }, one);
});

const outage = fleetScenario(
  "nothing is removed while a cluster does not answer and is Down, others go on, and it is caught up with",
  async (context) => {
    const { hub, one, two, fixture } = context;
    const uid = await begin(context, "lasting");
    await context.apply(
      hub,
      contentConfigMap("wide", [valueConfigMapText("wide", "1")]),
      profile("wide", { clusterSelector: { matchExpressions: [{ key: "kubernetes.io/none", operator: "DoesNotExist" }] } }),
    );
    for (const each of [one, two]) await context.eventuallyData({ wide: "1" }, each);
    const cluster = sveltosRef("SveltosCluster", fixture.ids[0].name, fixture.ids[0].namespace);
    await fixture.outage(async () => {
      await context.apply(hub, contentConfigMap("wide", [valueConfigMapText("wide", "2")]));
      await context.eventuallyData({ wide: "2" }, two);
      await context.eventuallyStatus(cluster, /"connectionStatus":"Down"/);
      await fixture.settle();
      const [summary] = (await context.list(hub, "ClusterProfile")).filter(({ metadata }) => metadata.name.startsWith("sveltos-"));
      assert.equal(summary?.metadata.deletionTimestamp, undefined, "what is deployed there stays desired");
    });
    await context.eventuallyData({ wide: "2" }, one);
    await context.eventuallyStatus(cluster, /"connectionStatus":"Healthy"/);
    assert.equal(await uidOf(context, "lasting"), uid);
    await context.apply(one, serviceObject("b", { event: "lasting" }));
    await context.eventuallyData({ lasting: "a b" });
    assert.equal(await uidOf(context, "lasting"), uid);
  },
);

const script = fleetScenario("nothing is removed because a script fails", async (context) => {
  const { hub, one, fixture } = context;
  const uid = await begin(context, "scripted", { evaluate: "function evaluate() return {matching = true} end" });
  await context.apply(hub, labelled("scripted", { evaluate: "function evaluate() return {matching = obj.no.such.field} end" }));
  await context.eventuallyMatches("scripted", 1, ["a"]);
  await fixture.settle();
  assert.equal(await uidOf(context, "scripted"), uid);
  await context.apply(hub, labelled("scripted", { evaluate: "function evaluate() return {matching = true} end" }));
  await context.apply(one, serviceObject("b", { event: "scripted" }));
  await context.eventuallyData({ scripted: "a b" });
  assert.equal(await uidOf(context, "scripted"), uid);
});

const report = fleetScenario("nothing is removed because a report is missing or briefly empty", async (context) => {
  const { hub, one, fixture } = context;
  const [id] = fixture.ids;
  const ref = sveltosRef("EventReport", eventReportName("reported", id), id.namespace);
  const uid = await begin(context, "reported");
  const before = (await context.find(hub, ref))!;
  await fixture.until(hub.delete(ref));
  await context.eventually(hub, ref, ({ metadata }) => metadata.uid !== before.metadata.uid);
  await context.patch(hub, ref, { spec: { matchingResources: [], resources: null } });
  await context.eventually(hub, ref, (object) => equal(object["spec"], before["spec"]));
  await context.apply(one, serviceObject("b", { event: "reported" }));
  await context.eventuallyData({ reported: "a b" });
  assert.equal(await uidOf(context, "reported"), uid);
});

export const cleanUpScenarios = [reasons, cluster, outage, script, report];
