/** What triggers make of events, field by field. */
import assert from "node:assert/strict";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import { scenario, type Scene } from "../scene.ts";
import {
  content,
  core,
  eventSource,
  instantiated,
  labelled,
  map,
  note,
  own,
  ownRef,
  profile,
  references,
  roll,
  service,
  setting,
  templated,
  trigger,
} from "../words.ts";

const happening = (name: string, event: string) => service(name, { event });
const triggerRef = (name: string) => ownRef("EventTrigger", name);

/** The only profile that a trigger has made. */
async function generated(scene: Scene, name: string): Promise<KubeObject> {
  const profiles = await scene.list(scene.hub, "ClusterProfile");
  const own = profiles.filter(({ metadata }) => metadata.labels?.["eventtrigger.lib.projectsveltos.io/eventtriggername"] === name);
  assert.equal(own.length, 1, `profiles of ${name}`);
  return own[0]!;
}

const oneForEach = scenario("oneForEvent makes a profile for each object, goes with it, and cannot be changed", async (scene) => {
  const { hub, one, stage } = scene;
  await scene.put(one, happening("a", "each"), happening("b", "each"));
  const text = note(
    "each-{{ .MatchingResource.Name }}",
    "{{ .Resource.metadata.namespace }}/{{ .Resource.metadata.name }} of {{ .Cluster.metadata.name }}",
  );
  await scene.put(hub, labelled("each"), content("each", [text], instantiated), trigger("each", { oneForEvent: true }));
  await scene.says({ "each-a": "default/a of one", "each-b": "default/b of one" });
  const change = scene.patch(hub, triggerRef("each"), { spec: { oneForEvent: false } });
  await assert.rejects(change, /immutable/);
  const { uid } = (await scene.find(one, map("each-b")))!.metadata;
  await scene.drop(one, core("Service", "a"));
  await scene.says({ "each-a": undefined });
  await stage.settle();
  assert.equal((await scene.find(one, map("each-b")))?.metadata.uid, uid);
});

const allTogether = scenario(
  "without oneForEvent there is one profile over all objects of a ClusterSet's cluster, by namespace and name",
  async (scene) => {
    const { hub, one } = scene;
    await scene.put(one, { apiVersion: "v1", kind: "Namespace", metadata: { name: "a-namespace" } });
    await scene.put(one, happening("z", "all"), happening("b", "all"), service("x", { event: "all" }, { namespace: "a-namespace" }));
    const text = note("all", "{{ range .Resources }}{{ .metadata.namespace }}/{{ .metadata.name }} {{ end }}{{ len .MatchingResources }}");
    await scene.put(hub, labelled("all"), content("all", [text], instantiated));
    await scene.put(hub, own("ClusterSet", "chosen", { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 1 }));
    await scene.put(hub, trigger("all", { sourceClusterSelector: { matchLabels: { env: "none" } }, clusterSetRefs: ["chosen"] }));
    await scene.says({ all: "a-namespace/x default/b default/z 3" });
    await generated(scene, "all");
  },
);

const destinations = scenario("a destination gets what happens elsewhere, and loses it with the event", async (scene) => {
  const { hub, one, two, stage } = scene;
  await scene.put(one, happening("a", "far"));
  const { kind, namespace, name } = { kind: "SveltosCluster", ...stage.ids[1] };
  const destinationCluster = { apiVersion: "lib.projectsveltos.io/v1beta1", kind, namespace, name: `{{ "${name}" }}` };
  await scene.put(hub, labelled("far"), roll("far"), roll("named"));
  await scene.put(hub, trigger("far", { destinationClusterSelector: { matchLabels: { dep: "eng" } } }));
  await scene.put(hub, trigger("named", { eventSourceName: "far", destinationCluster }));
  await scene.says({ far: "a", named: "a" }, two);
  assert.deepEqual([await scene.said("far"), await scene.said("named")], [undefined, undefined], "only the destinations");
  await scene.admits(triggerRef("far"), /"Provisioned"/);
  await scene.drop(one, core("Service", "a"));
  await scene.says({ far: undefined, named: undefined }, two);
});

const leaving = scenario("LeavePolicies leaves what is there when the event is over, WithdrawPolicies takes it", async (scene) => {
  const { hub, one, stage } = scene;
  await scene.put(one, happening("a", "over"));
  await scene.put(hub, labelled("over"), roll("over"), roll("stays"));
  await scene.put(hub, trigger("over"), trigger("stays", { eventSourceName: "over", stopMatchingBehavior: "LeavePolicies" }));
  await scene.says({ over: "a", stays: "a" });
  const { uid } = (await scene.find(one, map("stays")))!.metadata;
  await scene.drop(one, core("Service", "a"));
  await scene.says({ over: undefined });
  await scene.eventually(one, map("stays"), ({ metadata }) => metadata.labels?.["projectsveltos.io/reference-name"] === undefined);
  await stage.settle();
  assert.equal((await scene.find(one, map("stays")))?.metadata.uid, uid);
  await scene.drop(one, map("stays"));
});

const secrets = scenario("content comes from Secrets too, and from what generators make", async (scene) => {
  const { hub, one } = scene;
  await scene.put(one, happening("a", "secret"));
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "secret", namespace: "default", annotations: instantiated },
    type: "addons.projectsveltos.io/cluster-profile",
    stringData: { "it.yaml": note("from-secret", "{{ (index .Resources 0).metadata.name }}") },
  };
  const policyRefs = [
    { kind: "Secret", namespace: "default", name: "secret" },
    { kind: "ConfigMap", namespace: "projectsveltos", name: "made-for-{{ .Cluster.metadata.name }}" },
  ];
  const configMapGenerator = [{ name: "raw", namespace: "default", nameFormat: "made-for-{{ .Cluster.metadata.name }}" }];
  await scene.put(hub, labelled("secret"), secret, content("raw", [note("from-generator", "{{ (index .Resources 0).metadata.name }}")]));
  await scene.put(hub, trigger("secret", { policyRefs, configMapGenerator }));
  await scene.says({ "from-secret": "a", "from-generator": "a" });
});

const charts = scenario("a chart has its values from ConfigMaps and Secrets, and follows them", async (scene) => {
  const { hub, one, stage } = scene;
  await scene.put(one, happening("a", "charted"));
  const chart = {
    repositoryURL: stage.repository,
    repositoryName: "kyverno",
    chartName: "kyverno/kyverno",
    chartVersion: "v2.6.0",
    releaseName: "charted",
    releaseNamespace: "default",
    helmChartAction: "Install",
    valuesFrom: [{ kind: "ConfigMap", namespace: "default", name: "values" }],
  };
  await scene.put(hub, setting("values", "v: first"), labelled("charted"), trigger("charted", { policyRefs: [], helmCharts: [chart] }));
  await scene.says({ charted: "first" });
  await scene.put(hub, setting("values", "v: second"));
  await scene.says({ charted: "second" });
  await scene.drop(one, core("Service", "a"));
  await scene.says({ charted: undefined });
});

const inFull = scenario("what a trigger says of how to deploy goes into the profile, and works", async (scene) => {
  const { hub, one } = scene;
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
  await scene.put(hub, content("base", [note("base", "1")]), profile("base"));
  await scene.put(one, setting("gate", "shut"), happening("a", "full"));
  await scene.put(
    hub,
    labelled("full"),
    roll("full"),
    trigger("full", { ...settings, patches, validateHealths: [check], dependsOn: ["base"] }),
  );
  const deployed = await scene.eventually(one, map("full"));
  assert.equal(deployed.metadata.labels?.["patched"], "yes");
  assert.partialDeepStrictEqual(fieldsAt(await generated(scene, "full"), "spec"), { ...settings, dependsOn: ["base"] });
  await scene.admits(triggerRef("full"), /the gate is shut/);
  await scene.put(one, setting("gate", "open"));
  await scene.eventually(
    hub,
    triggerRef("full"),
    (object) => stringAt(listAt(object, "status.clusterInfo")[0], "status") === "Provisioned",
  );
  await scene.patch(one, map("full"), { data: { v: "drifted" } });
  await scene.says({ full: "a" });
});

const resources = scenario("templates use objects of the management cluster, and follow them", async (scene) => {
  const { hub, one } = scene;
  const resource = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "settings" };
  await scene.put(one, happening("a", "using"));
  const text = note("using", "{{ getField `Settings` `data.v` }} in {{ .Cluster.metadata.name }}");
  await scene.put(hub, setting("settings", "first"), labelled("using"), content("using", [text], templated));
  await scene.put(hub, trigger("using", { templateResourceRefs: [{ identifier: "Settings", resource }] }));
  await scene.says({ using: "first in one" });
  await scene.put(hub, setting("settings", "second"));
  await scene.says({ using: "second in one" });
});

const told = (mark: string) =>
  content("news", [note("news", `${mark} {{ range .Resources }}{{ .metadata.name }}{{ .metadata.annotations.n }}{{ end }}`)], instantiated);
const numbered = (n: string) => service("a", { event: "news" }, { annotations: { n } });

const updates = scenario(
  "a change of the trigger, the source, the content, the object or the cluster's labels is followed",
  async (scene) => {
    const { hub, one, stage } = scene;
    await scene.put(one, numbered("1"), service("b", { event: "later" }, { annotations: { n: "9" } }));
    await scene.put(hub, labelled("news"), told("first"), trigger("news"));
    await scene.says({ news: "first a1" });
    await scene.put(one, numbered("2"));
    await scene.says({ news: "first a2" });
    await scene.put(hub, told("second"));
    await scene.says({ news: "second a2" });
    await scene.put(hub, eventSource("news", { selector: { matchLabels: { event: "later" } } }));
    await scene.says({ news: "second b9" });
    await scene.put(hub, content("other", [note("other", "another")]), trigger("news", references("other")));
    await scene.says({ other: "another", news: undefined });
    await stage.relabel({ env: "none" });
    await scene.says({ other: undefined });
    await stage.relabel({ env: "fv" });
    await scene.says({ other: "another" });
  },
);

const older = scenario("an EventBasedAddOn with a selector as text does what a trigger does", async (scene) => {
  const { hub, one } = scene;
  await scene.put(one, happening("a", "older"));
  const plain = content("older", [note("older", "{{ (index .Resources 0).metadata.name }}")]);
  const spec = { clusterSelector: "env=fv", eventSourceName: "older", ...references("older") };
  await scene.put(hub, labelled("older"), plain);
  await scene.put(hub, { apiVersion: "lib.projectsveltos.io/v1alpha1", kind: "EventBasedAddOn", metadata: { name: "older" }, spec });
  await scene.says({ older: "a" });
});

export const triggers = [oneForEach, allTogether, destinations, leaving, secrets, charts, inFull, resources, updates, older];
