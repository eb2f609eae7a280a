/** What would otherwise be silent is a condition, an Event and a line of `show events`, and all of it goes when it is healed. */
import assert from "node:assert/strict";
import { isDeleting, type KubeObject } from "../../../src/core/object/index.ts";
import { apply } from "../../../src/release/apply/index.ts";
import { prepare } from "../../../src/release/prepare/index.ts";
import type { KindName } from "../../../src/sveltos/api/index.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";
import {
  contentConfigMap,
  labelledEventSource,
  matchingNamesContent,
  profile,
  serviceObject,
  sveltosRef,
  trigger,
  valueConfigMapText,
} from "../../support/sveltos-objects.ts";

/** Waits until the status, an Event and `show events` say it. The list has a cause once, and may have it of another object. */
async function isSaid(context: ScenarioContext, kind: KindName, name: string, says: RegExp, shown = says): Promise<void> {
  await context.eventuallyStatus(sveltosRef(kind, name), says);
  await context.eventuallyEvent(kind, name, says);
  assert.match(await context.fixture.showEvents(), shown);
}

/** Waits until no condition and no failure is left in a status. */
async function isHealed(context: ScenarioContext, kind: KindName, name: string): Promise<void> {
  await context.eventuallyStatus(sveltosRef(kind, name), /^(?!.*("conditions"|"failureMessage"|"failures"))/);
}

function valueContent(name: string): KubeObject {
  return contentConfigMap(name, [valueConfigMapText(name, "1")]);
}

/** An EventSource of a kind that no cluster serves. */
function misspelled(name: string): KubeObject {
  return labelledEventSource(name, { group: "typo.example.com", version: "v1", kind: "Servce" });
}

/** Applies objects as `sluice apply` does, and gives how it ended: `deployed`, or the reason of the failure. */
async function applied(context: ScenarioContext, ...objects: readonly KubeObject[]): Promise<string> {
  const { hub, fixture } = context;
  const { signal } = new AbortController();
  const run = async () => {
    const manifests = objects.map((object) => ({ object, at: { file: "" }, positionOf: () => ({ file: "" }) }));
    const { items } = await prepare(manifests, hub, { signal });
    for await (const progress of apply(items, hub, { signal, force: true, timeoutMs: 100_000 }))
      if (progress.type === "done") return progress.status === "failed" ? (progress.because ?? "") : progress.status;
    return "";
  };
  await context.apply(hub, ...objects.filter(({ kind: each }) => each === "ConfigMap"));
  const ended = await fixture.until(run());
  await context.apply(hub, ...objects);
  return ended;
}

const applying = fleetScenario("an apply ends when a profile is deployed, and fails with what went wrong in a cluster", async (context) => {
  assert.equal(await applied(context, valueContent("right"), profile("right")), "deployed");
  assert.equal(await context.dataOf("right"), "1", "it is there when the apply ends");
  const wrong = contentConfigMap("wrong", ["apiVersion: typo.example.com/v1\nkind: Nothing\nmetadata: {name: x}\n"]);
  assert.match(
    await applied(context, wrong, profile("wrong")),
    /clusterprofile\/wrong: .*: .*knows no kind typo\.example\.com\/v1 Nothing/,
  );
  assert.equal(
    await applied(context, valueContent("wrong"), profile("wrong", { tier: 50 })),
    "deployed",
    "the failure was of the spec before",
  );
});

const evaluation = fleetScenario("a trigger says that the script of its EventSource cannot run", async (context) => {
  const { hub, one } = context;
  await context.apply(one, serviceObject("mute", { event: "mute" }));
  await context.apply(
    hub,
    matchingNamesContent("mute"),
    labelledEventSource("mute", { evaluate: "function evaluate( return" }),
    trigger("mute"),
  );
  await isSaid(context, "EventTrigger", "mute", /EventSource mute: .*(near|expected)/, /"EventSource"[^}]*"mute"[^]*(near|expected)/);
  await context.eventuallyStatus(sveltosRef("EventTrigger", "mute"), /"status":"Failed"/);
  await context.apply(hub, labelledEventSource("mute", { evaluate: "function evaluate() return {matching = obj.spec.no.such == 1} end" }));
  await isSaid(context, "EventTrigger", "mute", /EventSource mute: Service default\/mute: /, /Service default\/mute: /);
  await context.apply(hub, labelledEventSource("mute"));
  await isHealed(context, "EventTrigger", "mute");
  await context.eventuallyData({ mute: "mute" });
});

const kind = fleetScenario(
  "a kind that a cluster does not serve is said of the EventSource and its trigger, and heals with its definition",
  async (context) => {
    const { hub, one } = context;
    const says = /"type":"KindNotServed"/;
    await context.apply(hub, matchingNamesContent("typo"), misspelled("typo"), trigger("typo"));
    for (const each of ["EventSource", "EventTrigger"] as const) {
      await isSaid(context, each, "typo", /typo\.example\.com\/v1 Servce is not served by /);
      await context.eventuallyStatus(sveltosRef(each, "typo"), says);
    }
    await context.eventuallyStatus(sveltosRef("EventTrigger", "typo"), /"status":"Provisioned"/);
    await context.apply(one, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "servces.typo.example.com" },
      spec: {
        group: "typo.example.com",
        scope: "Namespaced",
        names: { plural: "servces", singular: "servce", kind: "Servce", listKind: "ServceList" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    for (const each of ["EventSource", "EventTrigger"] as const) await isHealed(context, each, "typo");
  },
);

const kindOfAgent = fleetScenario("an agent says which kinds its cluster does not serve", async (context) => {
  const stop = await context.fixture.startAgent();
  await context.apply(context.hub, matchingNamesContent("typo-agent"), misspelled("typo-agent"), trigger("typo-agent"));
  for (const each of ["EventSource", "EventTrigger"] as const)
    await isSaid(context, each, "typo-agent", /typo\.example\.com\/v1 Servce is not served by /);
  await context.apply(context.hub, labelledEventSource("typo-agent"));
  for (const each of ["EventSource", "EventTrigger"] as const) await isHealed(context, each, "typo-agent");
  await stop();
});

const noCluster = fleetScenario("selectors that match no cluster say so, with what is nearly right", async (context) => {
  const { hub, one } = context;
  const nowhere = { matchLabels: { env: "nowhere" } };
  await context.apply(
    hub,
    valueContent("lost"),
    profile("lost", { clusterSelector: nowhere }),
    matchingNamesContent("lost-source"),
    labelledEventSource("lost-source"),
    trigger("lost-source", { sourceClusterSelector: nowhere }),
    matchingNamesContent("lost-target"),
    labelledEventSource("lost-target"),
    trigger("lost-target", { destinationClusterSelector: nowhere }),
  );
  await context.apply(one, serviceObject("lost-target", { event: "lost-target" }));
  await isSaid(context, "ClusterProfile", "lost", /no cluster has the labels of spec\.clusterSelector: env=nowhere/);
  await isSaid(context, "EventTrigger", "lost-source", /no cluster has the labels of spec\.sourceClusterSelector: env=nowhere/);
  await isSaid(context, "EventTrigger", "lost-target", /deployed nowhere: ClusterProfile .*: no cluster has the labels of .*: env=nowhere/);
  await context.relabelSecond({ env: "nowhere" });
  for (const [each, name] of [
    ["ClusterProfile", "lost"],
    ["EventTrigger", "lost-source"],
    ["EventTrigger", "lost-target"],
  ] as const)
    await isHealed(context, each, name);
  await context.eventuallyData({ lost: "1", "lost-target": "lost-target" }, context.two);
  await context.relabelSecond({ env: null });
  await isSaid(context, "ClusterProfile", "lost", /no cluster has the labels/);
});

const blocked = fleetScenario("a deletion that dependsOn holds up, and a dependency that does not exist, are said", async (context) => {
  const { hub } = context;
  await context.apply(hub, valueContent("upper"), valueContent("lower"), profile("upper", { dependsOn: ["lower"] }));
  await context.eventuallyStatus(sveltosRef("ClusterProfile", "upper"), /spec\.dependsOn: there is no ClusterProfile lower/);
  assert.match(await context.fixture.showEvents(), /there is no ClusterProfile lower/);
  await context.apply(hub, profile("lower"));
  await context.eventuallyData({ upper: "1", lower: "1" });
  await isHealed(context, "ClusterProfile", "upper");
  await context.fixture.until(hub.delete(sveltosRef("ClusterProfile", "lower")));
  await context.eventually(hub, sveltosRef("ClusterProfile", "lower"), isDeleting);
  await isSaid(context, "ClusterProfile", "lower", /waiting: upper-\S+ must be withdrawn first/);
  await context.delete(hub, sveltosRef("ClusterProfile", "upper"));
  await context.eventuallyGone(hub, sveltosRef("ClusterProfile", "lower"));
});

export const conditionScenarios = [applying, evaluation, kind, kindOfAgent, noCluster, blocked];
