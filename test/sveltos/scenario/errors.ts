/** Errors are reported where users look, and remove nothing that is deployed. */
import assert from "node:assert/strict";
import type { KindName } from "../../../src/sveltos/api/index.ts";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";
import { applyManifests } from "../test-fleet.ts";
import {
  contentConfigMap,
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
  trigger,
} from "../../support/sveltos-objects.ts";

const good = "function evaluate() return {matching = true} end";

/** Scripts that fail, and how each is reported. */
const scripts: Readonly<Record<string, readonly [script: string, says: RegExp]>> = {
  unwritten: ["x = 1", /evaluate/],
  endless: ["function evaluate() while true do end end", /too long|stopped|instructions|steps|ended/],
  hungry: [
    "function evaluate() local t = {} local s = 'x' while true do s = s .. s t[#t + 1] = s end end",
    /memory|too long|stopped|large/,
  ],
  numeric: ["function evaluate() return 5 end", /table|number/],
  textual: ["function evaluate() return {matching = 'yes'} end", /matching|boolean|string/],
  broken: ["function evaluate( return", /broken|near|expected|line/],
};

const evaluation = fleetScenario(
  "scripts that fail are reported in status, Event, list and metrics, and nothing is removed",
  async (context) => {
    const { hub, one, fixture } = context;
    for (const name of Object.keys(scripts)) {
      await context.apply(one, serviceObject(name, { event: name }));
      await context.apply(hub, labelledEventSource(name, { evaluate: good }), matchingNamesContent(name), trigger(name));
    }
    await context.eventuallyData(Object.fromEntries(Object.keys(scripts).map((name) => [name, name])));
    const uids = await uidsOf(context, Object.keys(scripts));
    for (const [name, [evaluate]] of Object.entries(scripts)) await context.apply(hub, labelledEventSource(name, { evaluate }));
    for (const [name, [, says]] of Object.entries(scripts)) {
      await context.eventuallyStatus(sveltosRef("EventSource", name), /"failures":\[\{/);
      await context.eventuallyStatus(sveltosRef("EventSource", name), says);
      await context.eventuallyEvent("EventSource", name, says);
    }
    const shown = await fixture.showEvents();
    for (const name of Object.keys(scripts)) assert.ok(shown.includes(`"${name}"`), `${name} is shown`);
    assert.match(await fixture.metrics(), /^sluice_evaluation_failures_total(\{[^}]*\})? [1-9]/m);
    await context.apply(one, serviceObject("late", { event: "late" }));
    await context.apply(hub, labelledEventSource("late"), matchingNamesContent("late"), trigger("late"));
    await context.eventuallyData({ late: "late" });
    assert.deepEqual(await uidsOf(context, Object.keys(scripts)), uids);
  },
);

async function uidsOf(context: ScenarioContext, names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const found = await Promise.all(names.map((name) => context.fixture.until(context.one.find(configMapRef(name)))));
  return found.map((object) => object?.metadata.uid);
}

/** Invalid input, by the object whose status reports it. */
type Mistake = { readonly about: readonly [KindName, string]; readonly objects: readonly KubeObject[]; readonly says: RegExp };

const mistakes: Readonly<Record<string, Mistake>> = {
  "a trigger for a source that is not there": {
    about: ["EventTrigger", "nothing"],
    objects: [matchingNamesContent("nothing"), trigger("nothing", { eventSourceName: "no-such-source" })],
    says: /EventSource no-such-source/,
  },
  "a trigger for content that is not there": {
    about: ["EventTrigger", "absent"],
    objects: [trigger("absent", { eventSourceName: "mistaken", ...policyRefsTo("no-such-content") })],
    says: /no-such-content/,
  },
  "a template with an error": {
    about: ["EventTrigger", "template"],
    objects: [
      contentConfigMap("template", ["a: b\nc: {{ .Resources.nope.nope }}\n"], instantiateAnnotations),
      trigger("template", { eventSourceName: "mistaken" }),
    ],
    says: /ConfigMap default\/template, 0\.yaml:2:\d+/,
  },
  "content that is no YAML": {
    about: ["EventTrigger", "yaml"],
    objects: [contentConfigMap("yaml", ["a: [b\n"]), trigger("yaml", { eventSourceName: "mistaken" })],
    says: /ConfigMap default\/yaml/,
  },
  "an object that the cluster refuses": {
    about: ["ClusterProfile", "invalid"],
    objects: [
      contentConfigMap("invalid", [
        "{apiVersion: v1, kind: Service, metadata: {name: Not_A_Name, namespace: default}, spec: {ports: [{port: 80}]}}",
      ]),
      profile("invalid"),
    ],
    says: /Not_A_Name/,
  },
  "a reference that is missing": {
    about: ["ClusterProfile", "lost"],
    objects: [profile("lost", policyRefsTo("lost"))],
    says: /lost does not exist/,
  },
  "a selector that cannot be parsed": {
    about: ["EventTrigger", "selector"],
    objects: [matchingNamesContent("selector"), trigger("selector", { eventSourceName: "mistaken", sourceClusterSelector: "env in (" })],
    says: /selector/i,
  },
  "a field that is not built": {
    about: ["EventTrigger", "unbuilt"],
    objects: [
      matchingNamesContent("unbuilt"),
      trigger("unbuilt", { eventSourceName: "mistaken", kustomizationRefs: [{ kind: "ConfigMap", namespace: "default", name: "k" }] }),
    ],
    says: /not built into Sluice.*spec\.kustomizationRefs/,
  },
  "a tenant that no RoleRequest names": {
    about: ["ClusterProfile", "tenant"],
    objects: [
      contentConfigMap("tenant", [valueConfigMapText("tenant", "1")]),
      profile("tenant", {}, { labels: { "projectsveltos.io/admin-name": "eve" } }),
    ],
    says: /admin-name: eve names no tenant/,
  },
  "a source that is not built": {
    about: ["EventSource", "messages"],
    objects: [
      sveltosObject("EventSource", "messages", { messagingMatchCriteria: [{ subject: "a" }] }),
      matchingNamesContent("messages"),
      trigger("messages"),
    ],
    says: /messagingMatchCriteria/,
  },
};

const input = fleetScenario(
  "invalid input is reported in its object, as an Event, in the list and in metrics; nothing is deployed",
  async (context) => {
    const { hub, one, fixture } = context;
    await context.apply(one, serviceObject("a", { event: "mistaken" }));
    await context.apply(hub, labelledEventSource("mistaken"), matchingNamesContent("mistaken"), trigger("mistaken"));
    for (const { objects } of Object.values(mistakes)) await context.apply(hub, ...objects);
    for (const [what, { about, says }] of Object.entries(mistakes)) {
      const [kind, name] = about;
      await context.eventuallyStatus(sveltosRef(kind, name), says).catch((error: unknown) => assert.fail(`${what}: ${String(error)}`));
      await context.eventuallyEvent(kind, name, says);
    }
    const shown = await fixture.showEvents();
    for (const [what, { says }] of Object.entries(mistakes)) assert.match(shown, says, what);
    const metrics = await fixture.metrics();
    for (const metric of ["sluice_trigger_failures_total", "sluice_objections_total", "sluice_deploys_total"])
      assert.match(metrics, new RegExp(`^${metric}\\{[^}]*\\} [1-9]`, "m"));
    await context.eventuallyData({ mistaken: "a" });
    for (const name of ["nothing", "selector", "unbuilt", "tenant", "messages"]) assert.equal(await context.dataOf(name), undefined);
  },
);

const conflicts = fleetScenario(
  "of two triggers that deploy the same object one owns it, and the other reports the conflict",
  async (context) => {
    const { hub, one } = context;
    await context.apply(one, serviceObject("a", { event: "rivals" }));
    await context.apply(
      hub,
      labelledEventSource("rivals"),
      contentConfigMap("left", [valueConfigMapText("wanted", "left")], instantiateAnnotations),
      contentConfigMap("right", [valueConfigMapText("wanted", "right")], instantiateAnnotations),
    );
    await context.apply(hub, trigger("left", { eventSourceName: "rivals" }));
    await context.eventuallyData({ wanted: "left" });
    await context.apply(hub, trigger("right", { eventSourceName: "rivals" }));
    await context.eventuallyStatus(sveltosRef("EventTrigger", "right"), /currently deployed because of/);
    await context.eventuallyEvent("EventTrigger", "right", /currently deployed because of/);
    assert.match(await context.fixture.showEvents(), /currently deployed because of/);
    assert.equal(await context.dataOf("wanted"), "left");
    await context.delete(hub, sveltosRef("EventTrigger", "left"));
    await context.eventuallyData({ wanted: "right" });
  },
);

const secretOf = (name: string, namespace: string, kubeconfig: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: `${name}-sveltos-kubeconfig`, namespace },
  data: { kubeconfig: Buffer.from(kubeconfig).toString("base64") },
});

const kubeconfigs = fleetScenario(
  "a kubeconfig that is missing, invalid or unreachable is reported, and the other clusters go on",
  async (context) => {
    const { hub, fixture } = context;
    const { namespace } = fixture.ids[0];
    const nowhere = JSON.stringify({
      kind: "Config",
      "current-context": "x",
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    });
    const cases: Readonly<Record<string, readonly [kubeconfig: string | undefined, says: RegExp]>> = {
      "no-secret": [undefined, /Secret/],
      garbage: ["{{{", /kubeconfig/],
      nowhere: [nowhere, /ECONNREFUSED|refused|127\.0\.0\.1:1|embedded/],
    };
    for (const [name, [kubeconfig]] of Object.entries(cases)) {
      if (kubeconfig !== undefined) await context.apply(hub, secretOf(name, namespace, kubeconfig));
      await context.apply(hub, sveltosObject("SveltosCluster", name, {}, { namespace, labels: { env: "fv" } }));
    }
    for (const [name, [, says]] of Object.entries(cases)) {
      await context.eventuallyStatus(sveltosRef("SveltosCluster", name, namespace), says);
      await context.eventuallyEvent("SveltosCluster", name, says);
    }
    const shown = await fixture.showEvents();
    for (const name of Object.keys(cases)) assert.ok(shown.includes(`"${name}"`), `${name} is shown`);
    assert.match(await fixture.metrics(), /^sluice_clusters\{state="(unreachable|refused)"\} [1-9]/m);
    await context.apply(hub, contentConfigMap("fine", [valueConfigMapText("fine", "1")]), profile("fine"));
    await context.eventuallyData({ fine: "1" });
  },
);

const deadAgent = fleetScenario(
  "an agent that died and left its Lease is shown, and the controller evaluates in its place",
  async (context) => {
    const { hub, one, fixture } = context;
    const [{ namespace, name }] = fixture.ids;
    const agentIs = (pattern: RegExp) =>
      context.eventually(hub, sveltosRef("SveltosCluster", name, namespace), ({ metadata }) =>
        pattern.test(metadata.annotations?.["sluice.dev/agent"] ?? "none"),
      );
    const place = { name: "sluice-agent", namespace: "projectsveltos" };
    const spec = { holderIdentity: "dead", leaseDurationSeconds: 15 };
    await applyManifests(fixture, one, [{ apiVersion: "v1", kind: "Namespace", metadata: { name: place.namespace } }]);
    await context.apply(one, { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: place, spec });
    await agentIs(/^running$/);
    await context.apply(hub, labelledEventSource("orphan"), matchingNamesContent("orphan"), trigger("orphan"));
    await context.apply(one, serviceObject("orphan", { event: "orphan" }));
    await agentIs(/^gone since 2\d{3}-/);
    await context.eventuallyData({ orphan: "orphan" });
    assert.match(await fixture.showEvents(), /"AgentGone"/);
    await context.delete(one, { group: "coordination.k8s.io", version: "v1", kind: "Lease", ...place });
    await agentIs(/^none$/);
  },
);

export const errorScenarios = [evaluation, input, conflicts, kubeconfigs, deadAgent];
