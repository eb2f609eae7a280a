/** What EventSources of every API generation match, as objects are created, changed and deleted. */
import assert from "node:assert/strict";
import { eventReportName } from "../../../src/sveltos/api/index.ts";
import { readEventReport } from "../../../src/sveltos/report/index.ts";
import { findCondition, type KubeObject, type Fields } from "../../../src/core/object/index.ts";
import { widgetCrd, widgetCrdRef } from "../../support/widget-crd.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";
import {
  coreRef,
  eventSource,
  valueConfigMapText,
  contentConfigMap,
  instantiateAnnotations,
  configMapRef,
  sveltosObject,
  sveltosRef,
  matchingNamesContent,
  serviceSelector,
  serviceObject,
  trigger,
} from "../../support/sveltos-objects.ts";

const lua = (condition: string) => `function evaluate() return {matching = ${condition}} end`;
const isFront = { key: "tier", operation: "Equal", value: "front" };
const flat = (more: Fields): Fields => ({ group: "", version: "v1", kind: "Service", ...more });

/** Each way to select Services: those that match at first, and those that do after the change. */
const ways: readonly (readonly [name: string, spec: Fields, before: string, after: string])[] = [
  ["flat-filters", flat({ labelFilters: [isFront] }), "a", "b"],
  ["flat-spelling", flat({ labelsFilters: [isFront] }), "a", "b"],
  ["flat-script", flat({ namespace: "default", script: lua("obj.spec.ports[1].port == 8443") }), "b", "b d"],
  ["lua", { resourceSelectors: [serviceSelector({ namespace: "default", evaluate: lua("obj.spec.ports[1].port == 8443") })] }, "b", "b d"],
  [
    "cel",
    {
      resourceSelectors: [
        serviceSelector({ evaluateCEL: [{ name: "secure", rule: "resource.spec.ports.exists(p, p.port == 8443 && p.port / 2 == 4221)" }] }),
      ],
    },
    "b",
    "b d",
  ],
  [
    "selector",
    { resourceSelectors: [serviceSelector({ selector: { matchExpressions: [{ key: "tier", operator: "In", values: ["front"] }] } })] },
    "a",
    "b",
  ],
  ["name", { resourceSelectors: [serviceSelector({ namespace: "elsewhere", name: "c" })] }, "c", "c"],
  ["place", { resourceSelectors: [serviceSelector({ namespace: "elsewhere" })] }, "c", "c"],
  [
    "together",
    {
      resourceSelectors: [serviceSelector({ labelFilters: [{ key: "tier", operation: "Has", value: "" }] })],
      aggregatedSelection:
        "function evaluate() local r = {} for _, s in ipairs(resources) do if s.spec.ports[1].port == 8443 then r[#r + 1] = s end end return {resources = r} end",
    },
    "b",
    "b d",
  ],
];

const generations = fleetScenario("EventSources of every generation find what is there, changed, relabelled and gone", async (context) => {
  const { hub, one } = context;
  await context.apply(one, { apiVersion: "v1", kind: "Namespace", metadata: { name: "elsewhere" } });
  await context.apply(
    one,
    serviceObject("a", { tier: "front" }),
    serviceObject("b", { tier: "back" }, { port: 8443 }),
    serviceObject("c", {}, { namespace: "elsewhere" }),
  );
  for (const [name, spec] of ways) {
    const source = sveltosObject("EventSource", name, spec);
    await context.apply(
      hub,
      name.startsWith("flat") ? { ...source, apiVersion: "lib.projectsveltos.io/v1alpha1" } : source,
      matchingNamesContent(name),
      trigger(name),
    );
  }
  await context.eventuallyData(Object.fromEntries(ways.map(([name, , before]) => [name, before])));
  await context.apply(
    one,
    serviceObject("b", { tier: "front" }, { port: 8443 }),
    serviceObject("a", { tier: "back" }),
    serviceObject("d", { tier: "new" }, { port: 8443 }),
  );
  await context.eventuallyData(Object.fromEntries(ways.map(([name, , , after]) => [name, after])));
  await context.delete(one, coreRef("Service", "b"));
  await context.eventuallyData({ "flat-filters": undefined, selector: undefined, lua: "d", cel: "d", together: "d", name: "c" });
  await context.eventuallyMatches("lua", 1);
});

const byStatus = fleetScenario("what matches by its status comes and goes with it", async (context) => {
  const { hub, one } = context;
  const address = (ingress: readonly object[]) =>
    context.patch(one, coreRef("Service", "balanced"), { status: { loadBalancer: { ingress } } }, "status");
  const balanced = serviceObject("balanced");
  await context.apply(one, { ...balanced, spec: { ports: [{ port: 80 }], type: "LoadBalancer" } } as KubeObject);
  await context.apply(
    hub,
    eventSource("addressed", { evaluate: lua("obj.status.loadBalancer.ingress ~= nil") }),
    matchingNamesContent("addressed"),
    trigger("addressed"),
  );
  await context.eventuallyMatches("addressed", 0);
  await address([{ ip: "192.0.2.1" }]);
  await context.eventuallyData({ addressed: "balanced" });
  await address([]);
  await context.eventuallyData({ addressed: undefined });
});

const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } };

const laterKind = fleetScenario(
  "a kind whose CRD is created later matches then, and no longer when the CRD is deleted",
  async (context) => {
    const { hub, one } = context;
    await context.apply(
      hub,
      eventSource("widgets", { group: "example.com", version: "v1", kind: "Widget" }),
      matchingNamesContent("widgets"),
      trigger("widgets"),
    );
    await context.eventuallyMatches("widgets", 0);
    for (let round = 0; round < 2; round++) {
      await context.apply(one, widgetCrd);
      await context.eventually(one, widgetCrdRef, (object) => findCondition(object, "Established", "True") !== undefined);
      await served(context);
      await context.apply(one, widget);
      await context.eventuallyData({ widgets: "w" });
      await context.delete(one, { group: "example.com", version: "v1", kind: "Widget", namespace: "default", name: "w" });
      await context.eventuallyData({ widgets: undefined });
      await context.delete(one, widgetCrdRef);
    }
  },
);

async function served({ fixture, one }: ScenarioContext): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    if ((await fixture.until(one.discovery.find({ group: "example.com", version: "v1", kind: "Widget" }))) !== undefined) return;
    await fixture.pause();
  }
  assert.fail("widgets are not served");
}

const failing = fleetScenario(
  "an object that a script fails on keeps its verdict, the others go on, and the status says which and why",
  async (context) => {
    const { hub, one } = context;
    const script =
      "function evaluate() if obj.metadata.annotations and obj.metadata.annotations.odd then error('too odd') end return {matching = true} end";
    await context.apply(one, serviceObject("x", { judged: "yes" }), serviceObject("y", { judged: "yes" }));
    await context.apply(
      hub,
      eventSource("judged", { labelFilters: [{ key: "judged", operation: "Has", value: "" }], evaluate: script }),
      matchingNamesContent("judged"),
      trigger("judged"),
    );
    await context.eventuallyData({ judged: "x y" });
    await context.patch(one, coreRef("Service", "x"), { metadata: { annotations: { odd: "yes" } } });
    await context.eventuallyMatches("judged", 2, ["x"]);
    assert.match(await context.eventuallyStatus(sveltosRef("EventSource", "judged"), /too odd/), /"name":"x"/);
    await context.eventuallyEvent("EventSource", "judged", /too odd/);
    assert.match(await context.fixture.showEvents(), /too odd/);
    await context.apply(one, serviceObject("z", { judged: "yes" }));
    await context.eventuallyData({ judged: "x y z" });
    await context.delete(one, coreRef("Service", "y"));
    await context.eventuallyData({ judged: "x z" });
    await context.patch(one, coreRef("Service", "x"), { metadata: { annotations: { odd: null } } });
    await context.eventuallyMatches("judged", 2);
  },
);

const namesIn = (report: KubeObject) =>
  readEventReport(report)
    .matches.map(({ ref }) => ref.name)
    .join(" ");

const reports = fleetScenario(
  "without an agent there is a report in the management cluster; with one, in both places; a switch loses nothing",
  async (context) => {
    const { hub, one, fixture } = context;
    const [id] = fixture.ids;
    const home = sveltosRef("EventReport", eventReportName("seen", id), id.namespace);
    const there = sveltosRef("EventReport", "seen", "projectsveltos");
    await context.apply(one, serviceObject("a", { seen: "yes" }));
    await context.apply(
      hub,
      eventSource("seen", { selector: { matchLabels: { seen: "yes" } } }),
      contentConfigMap("seen", [valueConfigMapText("seen", "{{ range .Resources }}{{ .metadata.name }}{{ end }}")], instantiateAnnotations),
      trigger("seen"),
    );
    await context.eventuallyData({ seen: "a" });
    const report = await context.eventually(hub, home, (object) => namesIn(object) === "a");
    assert.equal(report.metadata.labels?.["projectsveltos.io/eventsource-name"], "seen");
    assert.equal(report.metadata.labels?.["eventreport.projectsveltos.io/cluster-name"], id.name);
    assert.equal(report.metadata.labels?.["eventreport.projectsveltos.io/cluster-type"], "sveltos");
    assert.equal(await fixture.until(one.discovery.find(there)), undefined, "nothing of ours is in a cluster without an agent");
    const { uid } = (await context.find(one, configMapRef("seen")))!.metadata;

    const end = await fixture.startAgent();
    await context.apply(one, serviceObject("b", { seen: "yes" }));
    await context.eventuallyData({ seen: "ab" });
    const made = await context.eventually(one, there, (object) => namesIn(object) === "a b");
    assert.equal(made.metadata.labels?.["projectsveltos.io/eventsource-name"], "seen");
    const copy = await context.eventually(one, sveltosRef("EventSource", "seen"));
    assert.equal(copy.metadata.annotations?.["projectsveltos.io/deployed-by-sveltos"], "true");
    await context.eventually(hub, home, (object) => namesIn(object) === "a b");
    await end();
    await context.apply(one, serviceObject("c", { seen: "yes" }));
    await context.eventuallyData({ seen: "abc" });
    const after = await context.find(one, configMapRef("seen"));
    assert.equal(after?.metadata.uid, uid, "it was there all the while");
  },
);

export const eventScenarios = [generations, byStatus, laterKind, failing, reports];
