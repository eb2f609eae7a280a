/** What goes wrong is said where the user looks, and costs nothing that is deployed. */
import assert from "node:assert/strict";
import type { KindName } from "../../../src/sveltos/api/index.ts";
import type { KubeObject } from "../../../src/core/object/index.ts";
import { scenario, type Scene } from "../scene.ts";
import { content, instantiated, labelled, map, note, own, ownRef, profile, references, roll, service, trigger } from "../words.ts";

const good = "function evaluate() return {matching = true} end";

/** Scripts that cannot judge anything, and what is said of them. */
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

const evaluation = scenario("scripts that cannot judge are told of in status, Event, list and metrics, and nothing goes", async (scene) => {
  const { hub, one, stage } = scene;
  for (const name of Object.keys(scripts)) {
    await scene.put(one, service(name, { event: name }));
    await scene.put(hub, labelled(name, { evaluate: good }), roll(name), trigger(name));
  }
  await scene.says(Object.fromEntries(Object.keys(scripts).map((name) => [name, name])));
  const uids = await uidsOf(scene, Object.keys(scripts));
  for (const [name, [evaluate]] of Object.entries(scripts)) await scene.put(hub, labelled(name, { evaluate }));
  for (const [name, [, says]] of Object.entries(scripts)) {
    await scene.admits(ownRef("EventSource", name), /"failures":\[\{/);
    await scene.admits(ownRef("EventSource", name), says);
    await scene.tells("EventSource", name, says);
  }
  const shown = await stage.shown();
  for (const name of Object.keys(scripts)) assert.ok(shown.includes(`"${name}"`), `${name} is shown`);
  assert.match(await stage.metrics(), /^sluice_evaluation_failures_total(\{[^}]*\})? [1-9]/m);
  await scene.put(one, service("late", { event: "late" }));
  await scene.put(hub, labelled("late"), roll("late"), trigger("late"));
  await scene.says({ late: "late" });
  assert.deepEqual(await uidsOf(scene, Object.keys(scripts)), uids);
});

async function uidsOf(scene: Scene, names: readonly string[]): Promise<readonly (string | undefined)[]> {
  const found = await Promise.all(names.map((name) => scene.stage.until(scene.one.find(map(name)))));
  return found.map((object) => object?.metadata.uid);
}

/** What users write that cannot work, by the object whose status says so. */
type Mistake = { readonly about: readonly [KindName, string]; readonly objects: readonly KubeObject[]; readonly says: RegExp };

const mistakes: Readonly<Record<string, Mistake>> = {
  "a trigger for a source that is not there": {
    about: ["EventTrigger", "nothing"],
    objects: [roll("nothing"), trigger("nothing", { eventSourceName: "no-such-source" })],
    says: /EventSource no-such-source/,
  },
  "a trigger for content that is not there": {
    about: ["EventTrigger", "absent"],
    objects: [trigger("absent", { eventSourceName: "mistaken", ...references("no-such-content") })],
    says: /no-such-content/,
  },
  "a template with an error": {
    about: ["EventTrigger", "template"],
    objects: [
      content("template", ["a: b\nc: {{ .Resources.nope.nope }}\n"], instantiated),
      trigger("template", { eventSourceName: "mistaken" }),
    ],
    says: /ConfigMap default\/template, 0\.yaml:2:\d+/,
  },
  "content that is no YAML": {
    about: ["EventTrigger", "yaml"],
    objects: [content("yaml", ["a: [b\n"]), trigger("yaml", { eventSourceName: "mistaken" })],
    says: /ConfigMap default\/yaml/,
  },
  "an object that the cluster refuses": {
    about: ["ClusterProfile", "invalid"],
    objects: [
      content("invalid", [
        "{apiVersion: v1, kind: Service, metadata: {name: Not_A_Name, namespace: default}, spec: {ports: [{port: 80}]}}",
      ]),
      profile("invalid"),
    ],
    says: /Not_A_Name/,
  },
  "a reference that is missing": {
    about: ["ClusterProfile", "lost"],
    objects: [profile("lost", references("lost"))],
    says: /lost does not exist/,
  },
  "a selector that cannot be parsed": {
    about: ["EventTrigger", "selector"],
    objects: [roll("selector"), trigger("selector", { eventSourceName: "mistaken", sourceClusterSelector: "env in (" })],
    says: /selector/i,
  },
  "a field that is not built": {
    about: ["EventTrigger", "unbuilt"],
    objects: [
      roll("unbuilt"),
      trigger("unbuilt", { eventSourceName: "mistaken", kustomizationRefs: [{ kind: "ConfigMap", namespace: "default", name: "k" }] }),
    ],
    says: /not built into Sluice.*spec\.kustomizationRefs/,
  },
  "a tenant's label": {
    about: ["ClusterProfile", "tenant"],
    objects: [content("tenant", [note("tenant", "1")]), profile("tenant", {}, { labels: { "projectsveltos.io/admin-name": "eve" } })],
    says: /not built into Sluice.*admin-name/,
  },
  "a source that is not built": {
    about: ["EventSource", "messages"],
    objects: [own("EventSource", "messages", { messagingMatchCriteria: [{ subject: "a" }] }), roll("messages"), trigger("messages")],
    says: /messagingMatchCriteria/,
  },
};

const input = scenario(
  "mistakes of users are told in the object they wrote, as an Event, in the list and in metrics; nothing is deployed",
  async (scene) => {
    const { hub, one, stage } = scene;
    await scene.put(one, service("a", { event: "mistaken" }));
    await scene.put(hub, labelled("mistaken"), roll("mistaken"), trigger("mistaken"));
    for (const { objects } of Object.values(mistakes)) await scene.put(hub, ...objects);
    for (const [what, { about, says }] of Object.entries(mistakes)) {
      const [kind, name] = about;
      await scene.admits(ownRef(kind, name), says).catch((error: unknown) => assert.fail(`${what}: ${String(error)}`));
      await scene.tells(kind, name, says);
    }
    const shown = await stage.shown();
    for (const [what, { says }] of Object.entries(mistakes)) assert.match(shown, says, what);
    const metrics = await stage.metrics();
    for (const metric of ["sluice_trigger_failures_total", "sluice_objections_total", "sluice_deploys_total"])
      assert.match(metrics, new RegExp(`^${metric}\\{[^}]*\\} [1-9]`, "m"));
    await scene.says({ mistaken: "a" });
    for (const name of ["nothing", "selector", "unbuilt", "tenant", "messages"]) assert.equal(await scene.said(name), undefined);
  },
);

const rivals = scenario("of two triggers that want the same object one has it, and the other says so", async (scene) => {
  const { hub, one } = scene;
  await scene.put(one, service("a", { event: "rivals" }));
  await scene.put(
    hub,
    labelled("rivals"),
    content("left", [note("wanted", "left")], instantiated),
    content("right", [note("wanted", "right")], instantiated),
  );
  await scene.put(hub, trigger("left", { eventSourceName: "rivals" }));
  await scene.says({ wanted: "left" });
  await scene.put(hub, trigger("right", { eventSourceName: "rivals" }));
  await scene.admits(ownRef("EventTrigger", "right"), /currently deployed because of/);
  await scene.tells("EventTrigger", "right", /currently deployed because of/);
  assert.match(await scene.stage.shown(), /currently deployed because of/);
  assert.equal(await scene.said("wanted"), "left");
  await scene.drop(hub, ownRef("EventTrigger", "left"));
  await scene.says({ wanted: "right" });
});

const secretOf = (name: string, namespace: string, kubeconfig: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: `${name}-sveltos-kubeconfig`, namespace },
  data: { kubeconfig: Buffer.from(kubeconfig).toString("base64") },
});

const doors = scenario(
  "a kubeconfig that is missing, garbage or leads nowhere is told of, and costs the other clusters nothing",
  async (scene) => {
    const { hub, stage } = scene;
    const { namespace } = stage.ids[0];
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
      if (kubeconfig !== undefined) await scene.put(hub, secretOf(name, namespace, kubeconfig));
      await scene.put(hub, own("SveltosCluster", name, {}, { namespace, labels: { env: "fv" } }));
    }
    for (const [name, [, says]] of Object.entries(cases)) {
      await scene.admits(ownRef("SveltosCluster", name, namespace), says);
      await scene.tells("SveltosCluster", name, says);
    }
    const shown = await stage.shown();
    for (const name of Object.keys(cases)) assert.ok(shown.includes(`"${name}"`), `${name} is shown`);
    assert.match(await stage.metrics(), /^sluice_clusters\{state="(unreachable|refused)"\} [1-9]/m);
    await scene.put(hub, content("fine", [note("fine", "1")]), profile("fine"));
    await scene.says({ fine: "1" });
  },
);

export const errors = [evaluation, input, rivals, doors];
