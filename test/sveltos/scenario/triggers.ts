/** What triggers generate from events, field by field. */
import assert from "node:assert/strict";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";
import {
  contentConfigMap,
  coreRef,
  eventSource,
  instantiateAnnotations,
  labelledEventSource,
  configMapRef,
  valueConfigMapText,
  sveltosObject,
  sveltosRef,
  profile,
  policyRefsTo,
  matchingNamesContent,
  serviceObject,
  valueConfigMap,
  templateAnnotations,
  trigger,
} from "../../support/sveltos-objects.ts";

const eventService = (name: string, event: string) => serviceObject(name, { event });
const triggerRef = (name: string) => sveltosRef("EventTrigger", name);

/** The only profile that a trigger has generated. */
async function generated(context: ScenarioContext, name: string): Promise<KubeObject> {
  const profiles = await context.list(context.hub, "ClusterProfile");
  const own = profiles.filter(({ metadata }) => metadata.labels?.["eventtrigger.lib.projectsveltos.io/eventtriggername"] === name);
  assert.equal(own.length, 1, `profiles of ${name}`);
  return own[0]!;
}

const oneForEach = fleetScenario("oneForEvent makes a profile for each object, goes with it, and cannot be changed", async (context) => {
  const { hub, one, fixture } = context;
  await context.apply(one, eventService("a", "each"), eventService("b", "each"));
  const text = valueConfigMapText(
    "each-{{ .MatchingResource.Name }}",
    "{{ .Resource.metadata.namespace }}/{{ .Resource.metadata.name }} of {{ .Cluster.metadata.name }}",
  );
  await context.apply(
    hub,
    labelledEventSource("each"),
    contentConfigMap("each", [text], instantiateAnnotations),
    trigger("each", { oneForEvent: true }),
  );
  await context.eventuallyData({ "each-a": "default/a of one", "each-b": "default/b of one" });
  const change = context.patch(hub, triggerRef("each"), { spec: { oneForEvent: false } });
  await assert.rejects(change, /immutable/);
  const { uid } = (await context.find(one, configMapRef("each-b")))!.metadata;
  await context.delete(one, coreRef("Service", "a"));
  await context.eventuallyData({ "each-a": undefined });
  await fixture.settle();
  assert.equal((await context.find(one, configMapRef("each-b")))?.metadata.uid, uid);
});

const allTogether = fleetScenario(
  "without oneForEvent there is one profile over all objects of a ClusterSet's cluster, by namespace and name",
  async (context) => {
    const { hub, one } = context;
    await context.apply(one, { apiVersion: "v1", kind: "Namespace", metadata: { name: "a-namespace" } });
    await context.apply(
      one,
      eventService("z", "all"),
      eventService("b", "all"),
      serviceObject("x", { event: "all" }, { namespace: "a-namespace" }),
    );
    const text = valueConfigMapText(
      "all",
      "{{ range .Resources }}{{ .metadata.namespace }}/{{ .metadata.name }} {{ end }}{{ len .MatchingResources }}",
    );
    await context.apply(hub, labelledEventSource("all"), contentConfigMap("all", [text], instantiateAnnotations));
    await context.apply(hub, sveltosObject("ClusterSet", "chosen", { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 1 }));
    await context.apply(hub, trigger("all", { sourceClusterSelector: { matchLabels: { env: "none" } }, clusterSetRefs: ["chosen"] }));
    await context.eventuallyData({ all: "a-namespace/x default/b default/z 3" });
    await generated(context, "all");
  },
);

const destinations = fleetScenario("a destination gets what happens elsewhere, and loses it with the event", async (context) => {
  const { hub, one, two, fixture } = context;
  await context.apply(one, eventService("a", "far"));
  const { kind, namespace, name } = { kind: "SveltosCluster", ...fixture.ids[1] };
  const destinationCluster = { apiVersion: "lib.projectsveltos.io/v1beta1", kind, namespace, name: `{{ "${name}" }}` };
  await context.apply(hub, labelledEventSource("far"), matchingNamesContent("far"), matchingNamesContent("named"));
  await context.apply(hub, trigger("far", { destinationClusterSelector: { matchLabels: { dep: "eng" } } }));
  await context.apply(hub, trigger("named", { eventSourceName: "far", destinationCluster }));
  await context.eventuallyData({ far: "a", named: "a" }, two);
  assert.deepEqual([await context.dataOf("far"), await context.dataOf("named")], [undefined, undefined], "only the destinations");
  await context.eventuallyStatus(triggerRef("far"), /"Provisioned"/);
  await context.delete(one, coreRef("Service", "a"));
  await context.eventuallyData({ far: undefined, named: undefined }, two);
});

const leaving = fleetScenario("LeavePolicies leaves what is there when the event is over, WithdrawPolicies takes it", async (context) => {
  const { hub, one, fixture } = context;
  await context.apply(one, eventService("a", "over"));
  await context.apply(hub, labelledEventSource("over"), matchingNamesContent("over"), matchingNamesContent("stays"));
  await context.apply(hub, trigger("over"), trigger("stays", { eventSourceName: "over", stopMatchingBehavior: "LeavePolicies" }));
  await context.eventuallyData({ over: "a", stays: "a" });
  const { uid } = (await context.find(one, configMapRef("stays")))!.metadata;
  await context.delete(one, coreRef("Service", "a"));
  await context.eventuallyData({ over: undefined });
  await context.eventually(
    one,
    configMapRef("stays"),
    ({ metadata }) => metadata.labels?.["projectsveltos.io/reference-name"] === undefined,
  );
  await fixture.settle();
  assert.equal((await context.find(one, configMapRef("stays")))?.metadata.uid, uid);
  await context.delete(one, configMapRef("stays"));
});

const secrets = fleetScenario("content comes from Secrets too, and from what generators make", async (context) => {
  const { hub, one } = context;
  await context.apply(one, eventService("a", "secret"));
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "secret", namespace: "default", annotations: instantiateAnnotations },
    type: "addons.projectsveltos.io/cluster-profile",
    stringData: { "it.yaml": valueConfigMapText("from-secret", "{{ (index .Resources 0).metadata.name }}") },
  };
  const policyRefs = [
    { kind: "Secret", namespace: "default", name: "secret" },
    { kind: "ConfigMap", namespace: "projectsveltos", name: "made-for-{{ .Cluster.metadata.name }}" },
  ];
  const configMapGenerator = [{ name: "raw", namespace: "default", nameFormat: "made-for-{{ .Cluster.metadata.name }}" }];
  await context.apply(
    hub,
    labelledEventSource("secret"),
    secret,
    contentConfigMap("raw", [valueConfigMapText("from-generator", "{{ (index .Resources 0).metadata.name }}")]),
  );
  await context.apply(hub, trigger("secret", { policyRefs, configMapGenerator }));
  await context.eventuallyData({ "from-secret": "a", "from-generator": "a" });
});

const charts = fleetScenario("a chart has its values from ConfigMaps and Secrets, and follows them", async (context) => {
  const { hub, one, fixture } = context;
  await context.apply(one, eventService("a", "charted"));
  const chart = {
    repositoryURL: fixture.repository,
    repositoryName: "kyverno",
    chartName: "kyverno/kyverno",
    chartVersion: "v2.6.0",
    releaseName: "charted",
    releaseNamespace: "default",
    helmChartAction: "Install",
    valuesFrom: [{ kind: "ConfigMap", namespace: "default", name: "values" }],
  };
  await context.apply(
    hub,
    valueConfigMap("values", "v: first"),
    labelledEventSource("charted"),
    trigger("charted", { policyRefs: [], helmCharts: [chart] }),
  );
  await context.eventuallyData({ charted: "first" });
  await context.apply(hub, valueConfigMap("values", "v: second"));
  await context.eventuallyData({ charted: "second" });
  await context.delete(one, coreRef("Service", "a"));
  await context.eventuallyData({ charted: undefined });
});

const inFull = fleetScenario("what a trigger says of how to deploy goes into the profile, and works", async (context) => {
  const { hub, one } = context;
  const check = {
    name: "open",
    featureID: "Resources",
    group: "",
    version: "v1",
    kind: "ConfigMap",
    namespace: "default",
    script: 'function evaluate() return {healthy = obj.metadata.name ~= "gate" or obj.data.v == "open", message = "the gate is shut"} end',
  };
  const patches = [
    { target: { kind: "ConfigMap", name: ".*" }, patch: "- op: add\n  path: /metadata/labels\n  value: {patched: 'yes'}\n" },
  ];
  const settings = { syncMode: "ContinuousWithDriftDetection", tier: 50, continueOnConflict: true, maxUpdate: 1 } as const;
  await context.apply(hub, contentConfigMap("base", [valueConfigMapText("base", "1")]), profile("base"));
  await context.apply(one, valueConfigMap("gate", "shut"), eventService("a", "full"));
  await context.apply(
    hub,
    labelledEventSource("full"),
    matchingNamesContent("full"),
    trigger("full", { ...settings, patches, validateHealths: [check], dependsOn: ["base"] }),
  );
  const deployed = await context.eventually(one, configMapRef("full"));
  assert.equal(deployed.metadata.labels?.["patched"], "yes");
  assert.partialDeepStrictEqual(fieldsAt(await generated(context, "full"), "spec"), { ...settings, dependsOn: ["base"] });
  await context.eventuallyStatus(triggerRef("full"), /the gate is shut/);
  await context.apply(one, valueConfigMap("gate", "open"));
  await context.eventually(
    hub,
    triggerRef("full"),
    (object) => stringAt(listAt(object, "status.clusterInfo")[0], "status") === "Provisioned",
  );
  await context.patch(one, configMapRef("full"), { data: { v: "drifted" } });
  await context.eventuallyData({ full: "a" });
});

const resources = fleetScenario("templates use objects of the management cluster, and follow them", async (context) => {
  const { hub, one } = context;
  const resource = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "settings" };
  await context.apply(one, eventService("a", "using"));
  const text = valueConfigMapText("using", "{{ getField `Settings` `data.v` }} in {{ .Cluster.metadata.name }}");
  await context.apply(
    hub,
    valueConfigMap("settings", "first"),
    labelledEventSource("using"),
    contentConfigMap("using", [text], templateAnnotations),
  );
  await context.apply(hub, trigger("using", { templateResourceRefs: [{ identifier: "Settings", resource }] }));
  await context.eventuallyData({ using: "first in one" });
  await context.apply(hub, valueConfigMap("settings", "second"));
  await context.eventuallyData({ using: "second in one" });
});

const newsContent = (mark: string) =>
  contentConfigMap(
    "news",
    [valueConfigMapText("news", `${mark} {{ range .Resources }}{{ .metadata.name }}{{ .metadata.annotations.n }}{{ end }}`)],
    instantiateAnnotations,
  );
const numbered = (n: string) => serviceObject("a", { event: "news" }, { annotations: { n } });

const updates = fleetScenario(
  "a change of the trigger, the source, the content, the object or the cluster's labels is followed",
  async (context) => {
    const { hub, one, fixture } = context;
    await context.apply(one, numbered("1"), serviceObject("b", { event: "later" }, { annotations: { n: "9" } }));
    await context.apply(hub, labelledEventSource("news"), newsContent("first"), trigger("news"));
    await context.eventuallyData({ news: "first a1" });
    await context.apply(one, numbered("2"));
    await context.eventuallyData({ news: "first a2" });
    await context.apply(hub, newsContent("second"));
    await context.eventuallyData({ news: "second a2" });
    await context.apply(hub, eventSource("news", { selector: { matchLabels: { event: "later" } } }));
    await context.eventuallyData({ news: "second b9" });
    await context.apply(hub, contentConfigMap("other", [valueConfigMapText("other", "another")]), trigger("news", policyRefsTo("other")));
    await context.eventuallyData({ other: "another", news: undefined });
    await fixture.relabel({ env: "none" });
    await context.eventuallyData({ other: undefined });
    await fixture.relabel({ env: "fv" });
    await context.eventuallyData({ other: "another" });
  },
);

const older = fleetScenario("an EventBasedAddOn with a selector as text does what a trigger does", async (context) => {
  const { hub, one } = context;
  await context.apply(one, eventService("a", "older"));
  const plain = contentConfigMap("older", [valueConfigMapText("older", "{{ (index .Resources 0).metadata.name }}")]);
  const spec = { clusterSelector: "env=fv", eventSourceName: "older", ...policyRefsTo("older") };
  await context.apply(hub, labelledEventSource("older"), plain);
  await context.apply(hub, { apiVersion: "lib.projectsveltos.io/v1alpha1", kind: "EventBasedAddOn", metadata: { name: "older" }, spec });
  await context.eventuallyData({ older: "a" });
});

export const triggerScenarios = [oneForEach, allTogether, destinations, leaving, secrets, charts, inFull, resources, updates, older];
