/** What EventSources of every generation find, as it comes, changes and goes. */
import assert from "node:assert/strict";
import { eventReportName } from "../../../src/sveltos/api/index.ts";
import { readReport } from "../../../src/sveltos/report/index.ts";
import { condition, type KubeObject } from "../../../src/core/object/index.ts";
import { widgetDefinition, widgetDefinitionRef } from "../../support/widget-definition.ts";
import { scenario, type Scene } from "../scene.ts";
import {
  core,
  eventSource,
  note,
  content,
  instantiated,
  map,
  own,
  ownRef,
  roll,
  selecting,
  service,
  trigger,
  type Fields,
} from "../words.ts";

const lua = (condition: string) => `function evaluate() return {matching = ${condition}} end`;
const isFront = { key: "tier", operation: "Equal", value: "front" };
const flat = (more: Fields): Fields => ({ group: "", version: "v1", kind: "Service", ...more });

/** Each way to select Services: those that match at first, and those that do after the change. */
const ways: readonly (readonly [name: string, spec: Fields, before: string, after: string])[] = [
  ["flat-filters", flat({ labelFilters: [isFront] }), "a", "b"],
  ["flat-spelling", flat({ labelsFilters: [isFront] }), "a", "b"],
  ["flat-script", flat({ namespace: "default", script: lua("obj.spec.ports[1].port == 8443") }), "b", "b d"],
  ["lua", { resourceSelectors: [selecting({ namespace: "default", evaluate: lua("obj.spec.ports[1].port == 8443") })] }, "b", "b d"],
  [
    "cel",
    {
      resourceSelectors: [
        selecting({ evaluateCEL: [{ name: "secure", rule: "resource.spec.ports.exists(p, p.port == 8443 && p.port / 2 == 4221)" }] }),
      ],
    },
    "b",
    "b d",
  ],
  [
    "selector",
    { resourceSelectors: [selecting({ selector: { matchExpressions: [{ key: "tier", operator: "In", values: ["front"] }] } })] },
    "a",
    "b",
  ],
  ["name", { resourceSelectors: [selecting({ namespace: "elsewhere", name: "c" })] }, "c", "c"],
  ["place", { resourceSelectors: [selecting({ namespace: "elsewhere" })] }, "c", "c"],
  [
    "together",
    {
      resourceSelectors: [selecting({ labelFilters: [{ key: "tier", operation: "Has", value: "" }] })],
      aggregatedSelection:
        "function evaluate() local r = {} for _, s in ipairs(resources) do if s.spec.ports[1].port == 8443 then r[#r + 1] = s end end return {resources = r} end",
    },
    "b",
    "b d",
  ],
];

const generations = scenario("EventSources of every generation find what is there, changed, relabelled and gone", async (scene) => {
  const { hub, one } = scene;
  await scene.put(one, { apiVersion: "v1", kind: "Namespace", metadata: { name: "elsewhere" } });
  await scene.put(
    one,
    service("a", { tier: "front" }),
    service("b", { tier: "back" }, { port: 8443 }),
    service("c", {}, { namespace: "elsewhere" }),
  );
  for (const [name, spec] of ways) {
    const source = own("EventSource", name, spec);
    await scene.put(
      hub,
      name.startsWith("flat") ? { ...source, apiVersion: "lib.projectsveltos.io/v1alpha1" } : source,
      roll(name),
      trigger(name),
    );
  }
  await scene.says(Object.fromEntries(ways.map(([name, , before]) => [name, before])));
  await scene.put(
    one,
    service("b", { tier: "front" }, { port: 8443 }),
    service("a", { tier: "back" }),
    service("d", { tier: "new" }, { port: 8443 }),
  );
  await scene.says(Object.fromEntries(ways.map(([name, , , after]) => [name, after])));
  await scene.drop(one, core("Service", "b"));
  await scene.says({ "flat-filters": undefined, selector: undefined, lua: "d", cel: "d", together: "d", name: "c" });
  await scene.counts("lua", 1);
});

const byStatus = scenario("what matches by its status comes and goes with it", async (scene) => {
  const { hub, one } = scene;
  const address = (ingress: readonly object[]) =>
    scene.patch(one, core("Service", "balanced"), { status: { loadBalancer: { ingress } } }, "status");
  const balanced = service("balanced");
  await scene.put(one, { ...balanced, spec: { ports: [{ port: 80 }], type: "LoadBalancer" } } as KubeObject);
  await scene.put(
    hub,
    eventSource("addressed", { evaluate: lua("obj.status.loadBalancer.ingress ~= nil") }),
    roll("addressed"),
    trigger("addressed"),
  );
  await scene.counts("addressed", 0);
  await address([{ ip: "192.0.2.1" }]);
  await scene.says({ addressed: "balanced" });
  await address([]);
  await scene.says({ addressed: undefined });
});

const widget: KubeObject = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w", namespace: "default" } };

const laterKind = scenario("a kind whose definition appears later is found then, and its objects go with it", async (scene) => {
  const { hub, one } = scene;
  await scene.put(
    hub,
    eventSource("widgets", { group: "example.com", version: "v1", kind: "Widget" }),
    roll("widgets"),
    trigger("widgets"),
  );
  await scene.counts("widgets", 0);
  for (let round = 0; round < 2; round++) {
    await scene.put(one, widgetDefinition);
    await scene.eventually(one, widgetDefinitionRef, (object) => condition(object, "Established", "True") !== undefined);
    await served(scene);
    await scene.put(one, widget);
    await scene.says({ widgets: "w" });
    await scene.drop(one, { group: "example.com", version: "v1", kind: "Widget", namespace: "default", name: "w" });
    await scene.says({ widgets: undefined });
    await scene.drop(one, widgetDefinitionRef);
  }
});

async function served({ stage, one }: Scene): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    if ((await stage.until(one.discovery.find({ group: "example.com", version: "v1", kind: "Widget" }))) !== undefined) return;
    await stage.pause();
  }
  assert.fail("widgets are not served");
}

const failing = scenario(
  "an object that a script fails on keeps its verdict, the others go on, and the status says which and why",
  async (scene) => {
    const { hub, one } = scene;
    const script =
      "function evaluate() if obj.metadata.annotations and obj.metadata.annotations.odd then error('too odd') end return {matching = true} end";
    await scene.put(one, service("x", { judged: "yes" }), service("y", { judged: "yes" }));
    await scene.put(
      hub,
      eventSource("judged", { labelFilters: [{ key: "judged", operation: "Has", value: "" }], evaluate: script }),
      roll("judged"),
      trigger("judged"),
    );
    await scene.says({ judged: "x y" });
    await scene.patch(one, core("Service", "x"), { metadata: { annotations: { odd: "yes" } } });
    await scene.counts("judged", 2, ["x"]);
    assert.match(await scene.admits(ownRef("EventSource", "judged"), /too odd/), /"name":"x"/);
    await scene.tells("EventSource", "judged", /too odd/);
    assert.match(await scene.stage.shown(), /too odd/);
    await scene.put(one, service("z", { judged: "yes" }));
    await scene.says({ judged: "x y z" });
    await scene.drop(one, core("Service", "y"));
    await scene.says({ judged: "x z" });
    await scene.patch(one, core("Service", "x"), { metadata: { annotations: { odd: null } } });
    await scene.counts("judged", 2);
  },
);

const namesIn = (report: KubeObject) =>
  readReport(report)
    .matches.map(({ ref }) => ref.name)
    .join(" ");

const reports = scenario(
  "without an agent there is a report in the management cluster; with one, in both places; a switch loses nothing",
  async (scene) => {
    const { hub, one, stage } = scene;
    const [id] = stage.ids;
    const home = ownRef("EventReport", eventReportName("seen", id), id.namespace);
    const there = ownRef("EventReport", "seen", "projectsveltos");
    await scene.put(one, service("a", { seen: "yes" }));
    await scene.put(
      hub,
      eventSource("seen", { selector: { matchLabels: { seen: "yes" } } }),
      content("seen", [note("seen", "{{ range .Resources }}{{ .metadata.name }}{{ end }}")], instantiated),
      trigger("seen"),
    );
    await scene.says({ seen: "a" });
    const report = await scene.eventually(hub, home, (object) => namesIn(object) === "a");
    assert.equal(report.metadata.labels?.["projectsveltos.io/eventsource-name"], "seen");
    assert.equal(report.metadata.labels?.["eventreport.projectsveltos.io/cluster-name"], id.name);
    assert.equal(report.metadata.labels?.["eventreport.projectsveltos.io/cluster-type"], "sveltos");
    assert.equal(await stage.until(one.discovery.find(there)), undefined, "nothing of ours is in a cluster without an agent");
    const { uid } = (await scene.find(one, map("seen")))!.metadata;

    const end = await stage.agent();
    await scene.put(one, service("b", { seen: "yes" }));
    await scene.says({ seen: "ab" });
    const made = await scene.eventually(one, there, (object) => namesIn(object) === "a b");
    assert.equal(made.metadata.labels?.["projectsveltos.io/eventsource-name"], "seen");
    const copy = await scene.eventually(one, ownRef("EventSource", "seen"));
    assert.equal(copy.metadata.annotations?.["projectsveltos.io/deployed-by-sveltos"], "true");
    await scene.eventually(hub, home, (object) => namesIn(object) === "a b");
    await end();
    await scene.put(one, service("c", { seen: "yes" }));
    await scene.says({ seen: "abc" });
    const after = await scene.find(one, map("seen"));
    assert.equal(after?.metadata.uid, uid, "it was there all the while");
  },
);

export const events = [generations, byStatus, laterKind, failing, reports];
