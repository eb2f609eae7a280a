/** Who has an object that several profiles want. */
import assert from "node:assert/strict";
import { clusterSummaryName } from "../../../src/sveltos/api/index.ts";
import { isDeleting, type KubeObject } from "../../../src/core/object/index.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";
import {
  configMapRef,
  contentConfigMap,
  coreRef,
  instantiateAnnotations,
  labelledEventSource,
  policyRefsTo,
  profile,
  serviceObject,
  sveltosRef,
  trigger,
  valueConfigMapText,
} from "../../support/sveltos-objects.ts";

const profileRef = (name: string) => sveltosRef("ClusterProfile", name);
const summaryRef = ({ fixture }: ScenarioContext, name: string, index: 0 | 1 = 0) =>
  sveltosRef("ClusterSummary", clusterSummaryName("ClusterProfile", name, fixture.ids[index]), fixture.ids[index].namespace);
const ownerOf = (object: KubeObject | undefined) => object?.metadata.annotations?.["projectsveltos.io/owner-name"];

/** Waits until a profile has what it wants. */
const provisioned = (context: ScenarioContext, name: string, index?: 0 | 1) =>
  context.eventuallyStatus(summaryRef(context, name, index), /"featureID":"Resources"[^}]*"status":"Provisioned"/);
/** Waits until a profile says who has what it wants. */
const blocked = (context: ScenarioContext, name: string, by: string, index?: 0 | 1) =>
  context.eventuallyStatus(summaryRef(context, name, index), new RegExp(`^(?=.*"status":"Failed").*ClusterProfile ${by};`));

const pairs = [1, 2, 3, 4, 5, 6];

const sameMoment = fleetScenario(
  "of two profiles that want an object at the same moment the lower tier gets it, and the other one when that goes",
  async (context) => {
    const { hub, one, fixture } = context;
    for (const pair of pairs)
      await context.apply(
        hub,
        profile(`pb-${pair}`, policyRefsTo(`sh-${pair}`)),
        profile(`pa-${pair}`, { ...policyRefsTo(`sh-${pair}`), tier: 50 }),
      );
    for (const pair of pairs) await context.eventuallyStatus(summaryRef(context, `pb-${pair}`), /does not exist/);
    const content = pairs.map((pair) => contentConfigMap(`sh-${pair}`, [valueConfigMapText(`shared-${pair}`, "1")]));
    await Promise.all(content.map((each) => context.apply(hub, each)));
    const uids: (string | undefined)[] = [];
    for (const pair of pairs) {
      await provisioned(context, `pa-${pair}`);
      await blocked(context, `pb-${pair}`, `pa-${pair}`);
      const live = await context.find(one, configMapRef(`shared-${pair}`));
      assert.equal(ownerOf(live), `pa-${pair}`);
      uids.push(live?.metadata.uid);
    }
    for (const pair of pairs) await context.delete(hub, profileRef(`pa-${pair}`));
    for (const pair of pairs) await provisioned(context, `pb-${pair}`);
    await fixture.settle();
    for (const [index, pair] of pairs.entries()) {
      const live = await context.find(one, configMapRef(`shared-${pair}`));
      assert.deepEqual([ownerOf(live), live?.metadata.uid], [`pb-${pair}`, uids[index]], "it was handed over, and never gone");
    }
  },
);

const events = fleetScenario(
  "what two events deploy under one name belongs to one of them, and to the other one when that goes",
  async (context) => {
    const { hub, one, fixture } = context;
    const text = valueConfigMapText("fixed", "{{ .Resource.metadata.name }}");
    await context.apply(hub, labelledEventSource("fixed"), contentConfigMap("fixed", [text], instantiateAnnotations));
    await context.apply(hub, trigger("fixed", { oneForEvent: true }));
    for (const name of ["left", "right"]) await context.apply(one, serviceObject(name, { event: "fixed" }));
    const first = await context.eventually(one, configMapRef("fixed"));
    await fixture.settle();
    const owner = await context.dataOf("fixed");
    const other = owner === "left" ? "right" : "left";
    const states = (await context.list(hub, "ClusterSummary")).map(({ status }) => /"status":"(\w+)"/.exec(JSON.stringify(status))?.[1]);
    assert.deepEqual(states.toSorted(), ["Failed", "Provisioned"]);
    await context.delete(one, coreRef("Service", String(owner)));
    await context.eventuallyData({ fixed: other });
    assert.equal((await context.find(one, configMapRef("fixed")))?.metadata.uid, first.metadata.uid, "it was never gone");
    await context.delete(one, coreRef("Service", other));
    await context.eventuallyData({ fixed: undefined });
  },
);

const registeredAgain = fleetScenario("an object whose owner has gone without its cluster belongs to the next profile", async (context) => {
  const { hub, two, fixture } = context;
  const eng = { clusterSelector: { matchLabels: { dep: "eng" } } };
  await context.apply(
    hub,
    contentConfigMap("re", [valueConfigMapText("left-behind", "1")]),
    profile("re1", { ...eng, ...policyRefsTo("re") }),
  );
  await provisioned(context, "re1", 1);
  await fixture.deregisterSecond();
  await context.delete(hub, profileRef("re1"));
  assert.equal(ownerOf(await context.find(two, configMapRef("left-behind"))), "re1");
  await context.apply(hub, profile("re2", { ...eng, ...policyRefsTo("re") }));
  await fixture.registerSecond({ dep: "eng" });
  await provisioned(context, "re2", 1);
  assert.equal(ownerOf(await context.find(two, configMapRef("left-behind"))), "re2");
});

const dryRun = fleetScenario("what a profile has left behind in DryRun belongs to the next one", async (context) => {
  const { hub, one } = context;
  await context.apply(hub, contentConfigMap("dry", [valueConfigMapText("dry", "1")]), profile("dry1", policyRefsTo("dry")));
  await provisioned(context, "dry1");
  await context.apply(hub, profile("dry2", policyRefsTo("dry")));
  await blocked(context, "dry2", "dry1");
  await context.patch(hub, profileRef("dry1"), { spec: { syncMode: "DryRun" } });
  await context.eventuallyStatus(summaryRef(context, "dry1"), /"status":"Provisioning"/);
  assert.equal(ownerOf(await context.find(one, configMapRef("dry"))), "dry1", "it has what it has deployed");
  await context.delete(hub, profileRef("dry1"));
  await provisioned(context, "dry2");
  assert.equal(ownerOf(await context.find(one, configMapRef("dry"))), "dry2");
});

const disputed = (name: string) => contentConfigMap(name, [valueConfigMapText("disputed", name)]);

const tiers = fleetScenario("an object goes to the profile whose tier becomes the lower one, and back", async (context) => {
  const { hub, one } = context;
  await context.apply(hub, disputed("low"), disputed("high"), profile("low", { tier: 40 }), profile("high", { tier: 60 }));
  await provisioned(context, "low");
  await blocked(context, "high", "low");
  await context.patch(hub, profileRef("low"), { spec: { tier: 80 } });
  await provisioned(context, "high");
  await blocked(context, "low", "high");
  assert.equal(await context.dataOf("disputed"), "high");
  await context.apply(hub, contentConfigMap("high", [valueConfigMapText("another", "high")]));
  await context.eventuallyData({ disputed: "low", another: "high" });
  await provisioned(context, "low");
  assert.equal(isDeleting((await context.find(one, configMapRef("disputed")))!), false);
});

/** Waits until a profile's chart is in this state. */
const chartState = (context: ScenarioContext, name: string, state: string) =>
  context.eventuallyStatus(summaryRef(context, name), new RegExp(`"featureID":"Helm"[^}]*"status":"${state}"`));

const releases = fleetScenario("a Helm release that two profiles want at the same moment is handed over likewise", async (context) => {
  const { hub, one, fixture } = context;
  const chart = (v: string) => ({
    repositoryURL: fixture.repository,
    repositoryName: "kyverno",
    chartName: "kyverno/kyverno",
    chartVersion: "v2.6.0",
    releaseName: "disputed-chart",
    releaseNamespace: "default",
    values: `v: ${v}`,
  });
  const wanting = (name: string, tier: number) => profile(name, { policyRefs: [], helmCharts: [chart(name)], tier });
  await Promise.all([context.apply(hub, wanting("ca", 100)), context.apply(hub, wanting("cb", 50))]);
  await chartState(context, "cb", "Provisioned");
  await chartState(context, "ca", "FailedNonRetriable");
  await context.eventuallyData({ "disputed-chart": "cb" });
  const before = await context.find(one, configMapRef("disputed-chart"));
  await context.delete(hub, profileRef("cb"));
  await chartState(context, "ca", "Provisioned");
  await context.eventuallyData({ "disputed-chart": "ca" });
  assert.equal((await context.find(one, configMapRef("disputed-chart")))?.metadata.uid, before?.metadata.uid, "it was never uninstalled");
  await context.delete(hub, profileRef("ca"));
  await context.eventuallyData({ "disputed-chart": undefined });
});

export const ownershipScenarios = [releases, sameMoment, events, registeredAgain, dryRun, tiers];
