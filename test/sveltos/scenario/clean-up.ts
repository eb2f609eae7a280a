/** What goes when its reason goes, and what stays when there is no reason. */
import assert from "node:assert/strict";
import { eventReportName } from "../../../src/sveltos/api/index.ts";
import { equal, type KubeObject } from "../../../src/core/object/index.ts";
import { scenario, type Scene } from "../scene.ts";
import { content, core, eventSource, map, note, ownRef, profile, roll, service, trigger, type Fields } from "../words.ts";

const labelled = (name: string, more: Fields = {}): KubeObject =>
  eventSource(name, { selector: { matchLabels: { event: name } }, ...more });

/** An event, what is deployed for it, and something that has nothing to do with it. */
async function begin(scene: Scene, name: string, more: Fields = {}): Promise<string | undefined> {
  const { hub, one } = scene;
  await scene.put(
    hub,
    content("bystander", [note("bystander", "1")]),
    profile("bystander", { clusterSelector: { matchLabels: { stays: "yes" } } }),
  );
  await scene.put(one, service("a", { event: name }));
  await scene.put(hub, labelled(name, more), roll(name), trigger(name));
  await scene.says({ [name]: "a" });
  return uidOf(scene, name);
}

async function uidOf(scene: Scene, name: string): Promise<string | undefined> {
  return (await scene.find(scene.one, map(name)))?.metadata.uid;
}

/** Whatever is taken away, what was deployed for it goes. */
const removals: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  trigger: (scene) => scene.drop(scene.hub, ownRef("EventTrigger", "reason")),
  source: (scene) => scene.drop(scene.hub, ownRef("EventSource", "reason")),
  object: (scene) => scene.drop(scene.one, core("Service", "a")),
  "object's label": (scene) => scene.patch(scene.one, core("Service", "a"), { metadata: { labels: { event: null } } }),
  "cluster's label": (scene) => scene.stage.relabel({ env: "none" }),
};

const reasons = scenario(
  "what was deployed goes with the trigger, the source, the object, its label or the cluster's; nothing else does",
  async (scene) => {
    await scene.stage.relabel({ stays: "yes" });
    for (const [what, takeAway] of Object.entries(removals)) {
      await begin(scene, "reason");
      await scene.says({ bystander: "1" });
      const uid = await uidOf(scene, "bystander");
      await takeAway(scene);
      await scene.says({ reason: undefined });
      assert.equal(await uidOf(scene, "bystander"), uid, what);
      await scene.stage.relabel({ env: "fv" });
    }
  },
);

const cluster = scenario("a cluster that leaves the fleet takes away what it was the reason for elsewhere", async (scene) => {
  const { hub, one, two, stage } = scene;
  const selectors = { sourceClusterSelector: { matchLabels: { dep: "eng" } }, destinationClusterSelector: { matchLabels: { env: "fv" } } };
  await scene.put(two, service("b", { event: "remote" }));
  await scene.put(hub, labelled("remote"), roll("remote"), trigger("remote", selectors));
  await scene.put(hub, content("own", [note("own", "1")]), profile("own", { clusterSelector: { matchLabels: { dep: "eng" } } }));
  await scene.says({ remote: "b" }, one);
  await scene.says({ own: "1" }, two);
  await stage.leave();
  await scene.says({ remote: undefined }, one);
  await scene.gone(hub, ownRef("SveltosCluster", stage.ids[1].name, stage.ids[1].namespace));
  for (let turn = 0; (await scene.list(hub, "ClusterSummary")).length > 0; turn++) {
    assert.ok(turn < 100, "its ClusterSummaries go");
    await stage.pause();
  }
  assert.equal(await scene.said("own", two), "1", "nobody has a way into it any more");
  await stage.join({ dep: "eng" });
  await scene.says({ remote: "b" }, one);
});

const outage = scenario("nothing is removed while a cluster does not answer, others go on, and it is caught up with", async (scene) => {
  const { hub, one, two, stage } = scene;
  const uid = await begin(scene, "lasting");
  await scene.put(
    hub,
    content("wide", [note("wide", "1")]),
    profile("wide", { clusterSelector: { matchExpressions: [{ key: "kubernetes.io/none", operator: "DoesNotExist" }] } }),
  );
  for (const each of [one, two]) await scene.says({ wide: "1" }, each);
  await stage.outage(async () => {
    await scene.put(hub, content("wide", [note("wide", "2")]));
    await scene.says({ wide: "2" }, two);
    await stage.settle();
    const [summary] = (await scene.list(hub, "ClusterProfile")).filter(({ metadata }) => metadata.name.startsWith("sveltos-"));
    assert.equal(summary?.metadata.deletionTimestamp, undefined, "what is deployed there is still wanted");
  });
  await scene.says({ wide: "2" }, one);
  assert.equal(await uidOf(scene, "lasting"), uid);
  await scene.put(one, service("b", { event: "lasting" }));
  await scene.says({ lasting: "a b" });
  assert.equal(await uidOf(scene, "lasting"), uid);
});

const script = scenario("nothing is removed because a script fails", async (scene) => {
  const { hub, one, stage } = scene;
  const uid = await begin(scene, "scripted", { evaluate: "function evaluate() return {matching = true} end" });
  await scene.put(hub, labelled("scripted", { evaluate: "function evaluate() return {matching = obj.no.such.field} end" }));
  await scene.counts("scripted", 1, ["a"]);
  await stage.settle();
  assert.equal(await uidOf(scene, "scripted"), uid);
  await scene.put(hub, labelled("scripted", { evaluate: "function evaluate() return {matching = true} end" }));
  await scene.put(one, service("b", { event: "scripted" }));
  await scene.says({ scripted: "a b" });
  assert.equal(await uidOf(scene, "scripted"), uid);
});

const report = scenario("nothing is removed because a report is missing or briefly empty", async (scene) => {
  const { hub, one, stage } = scene;
  const [id] = stage.ids;
  const ref = ownRef("EventReport", eventReportName("reported", id), id.namespace);
  const uid = await begin(scene, "reported");
  const before = (await scene.find(hub, ref))!;
  await stage.until(hub.delete(ref));
  await scene.eventually(hub, ref, ({ metadata }) => metadata.uid !== before.metadata.uid);
  await scene.patch(hub, ref, { spec: { matchingResources: [], resources: null } });
  await scene.eventually(hub, ref, (object) => equal(object["spec"], before["spec"]));
  await scene.put(one, service("b", { event: "reported" }));
  await scene.says({ reported: "a b" });
  assert.equal(await uidOf(scene, "reported"), uid);
});

export const cleanUp = [reasons, cluster, outage, script, report];
