/** What profiles bring into clusters, and keep there. */
import assert from "node:assert/strict";
import { clusterConfigurationName, clusterSummaryName } from "../../../src/sveltos/api/index.ts";
import { condition, listAt, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import { scenario, type Scene } from "../scene.ts";
import { content, core, job, jobRef, map, note, own, ownRef, profile, references, setting, type Fields } from "../words.ts";

const profileRef = (name: string) => ownRef("ClusterProfile", name);
const summaryRef = ({ stage }: Scene, name: string, index: 0 | 1 = 0) =>
  ownRef("ClusterSummary", clusterSummaryName("ClusterProfile", name, stage.ids[index]), stage.ids[index].namespace);

/** Waits until a profile is as it should be in the first cluster. */
const provisioned = (scene: Scene, name: string) =>
  scene.admits(summaryRef(scene, name), /"featureID":"Resources"[^}]*"status":"Provisioned"/);

/** Asks of the ConfigMap `gate` that it is open. */
const gated: Fields = {
  validateHealths: [
    {
      name: "open",
      featureID: "Resources",
      group: "",
      version: "v1",
      kind: "ConfigMap",
      namespace: "default",
      script:
        'function evaluate() return {healthy = obj.metadata.name ~= "gate" or obj.data.v == "open", message = "the gate is shut"} end',
    },
  ],
};

const end = (object: KubeObject | undefined) => Date.parse(stringAt(object, "status.completionTime", ""));
const start = (object: KubeObject | undefined) => Date.parse(object?.metadata.creationTimestamp ?? "");

const sets = scenario("ClusterProfiles and Profiles find clusters by labels, ClusterSets and Sets", async (scene) => {
  const { hub, one, two, stage } = scene;
  const { namespace } = stage.ids[0];
  const fv = { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 1 };
  const inside: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "inside", namespace },
    data: { it: note("inside", "1") },
  };
  const policyRefs = [{ kind: "ConfigMap", namespace, name: "inside" }];
  await scene.put(hub, content("whole", [note("whole", "1")]), inside);
  await scene.put(hub, own("ClusterSet", "some", fv), own("Set", "some", fv, { namespace }));
  await scene.put(hub, profile("whole", { clusterSelector: {}, setRefs: ["some"] }));
  await scene.put(hub, own("Profile", "inside", { setRefs: ["some"], policyRefs }, { namespace }));
  await scene.says({ whole: "1", inside: "1" });
  await scene.admits(ownRef("ClusterSet", "some"), /selectedClusterRefs.*"name":"one"/);
  await scene.admits(ownRef("Set", "some", namespace), /selectedClusterRefs.*"name":"one"/);
  await scene.admits(ownRef("Profile", "inside", namespace), /matchingClusters.*"name":"one"/);
  await stage.settle();
  assert.deepEqual([await scene.said("whole", two), await scene.said("inside", two)], [undefined, undefined]);
  await stage.relabel({ env: "none" });
  await scene.says({ whole: undefined, inside: undefined }, one);
  await stage.relabel({ env: "fv" });
  await scene.says({ whole: "1", inside: "1" }, one);
});

const order = scenario("hooks, weights and waits inside a profile work, and a second reconcile runs no hook", async (scene) => {
  const { hub, one, stage } = scene;
  const hooks = { "helm.sh/hook": "pre-install,post-delete" };
  const texts = (v: string) => [
    note("last", v, { annotations: { "werf.io/weight": "2" } }),
    job("before", { "werf.io/weight": "1" }),
    job("hook", hooks),
  ];
  await scene.put(hub, content("ordered", texts("1")), profile("ordered"));
  const last = await scene.eventually(one, map("last"));
  await provisioned(scene, "ordered");
  const [hook, before] = await Promise.all([scene.find(one, jobRef("hook")), scene.find(one, jobRef("before"))]);
  assert.ok(condition(before, "Complete", "True"));
  assert.ok(end(hook) <= start(before), "the hook comes first");
  assert.ok(end(before) <= start(last), "the second weight waits for the first");
  await scene.patch(hub, profileRef("ordered"), { spec: { tier: 90 } });
  await scene.eventually(hub, summaryRef(scene, "ordered"), (object) => JSON.stringify(object["spec"]).includes('"tier":90'));
  await scene.put(hub, content("ordered", texts("2")));
  await scene.says({ last: "2" });
  await stage.settle();
  assert.equal((await scene.find(one, jobRef("hook")))?.metadata.uid, hook?.metadata.uid, "an upgrade is no install");
  await scene.drop(hub, profileRef("ordered"));
  assert.deepEqual([await scene.find(one, map("last")), await scene.find(one, jobRef("before"))], [undefined, undefined]);
  assert.notEqual((await scene.find(one, jobRef("hook")))?.metadata.uid, hook?.metadata.uid, "a withdrawal is a delete");
  await scene.drop(one, jobRef("hook"));
});

const modes = scenario("each syncMode does what it says, and what is deployed and would be is told", async (scene) => {
  const { hub, one, stage } = scene;
  const [id] = stage.ids;
  const names = ["once", "always", "dry", "drift"];
  const kinds = { once: "OneTime", always: "Continuous", dry: "DryRun", drift: "ContinuousWithDriftDetection" } as const;
  const write = (v: string) => scene.put(hub, ...names.map((name) => content(name, [note(name, v)])));
  await write("1");
  await scene.put(hub, ...Object.entries(kinds).map(([name, syncMode]) => profile(name, { syncMode })));
  await scene.says({ once: "1", always: "1", drift: "1" });
  for (const name of ["once", "always", "drift"]) await provisioned(scene, name);
  const configuration = ownRef("ClusterConfiguration", clusterConfigurationName(id), id.namespace);
  await scene.eventually(hub, configuration, (object) =>
    ["once", "always", "drift"].every((name) => JSON.stringify(object).includes(`"name":"${name}"`)),
  );
  const reports = async () => (await scene.list(hub, "ClusterReport")).map((report) => JSON.stringify(report["status"] ?? {}));
  for (let turn = 0; !(await reports()).some((text) => text.includes('"dry"')); turn++) {
    assert.ok(turn < 100, "there is no ClusterReport");
    await stage.pause();
  }
  assert.match((await reports()).join(), /"action":"Create"/);
  await write("2");
  await scene.says({ always: "2", drift: "2" });
  await stage.settle();
  assert.deepEqual([await scene.said("once"), await scene.said("dry")], ["1", undefined]);
  for (const name of ["always", "drift"]) await scene.patch(one, map(name), { data: { v: "drifted" } });
  await scene.says({ drift: "2" });
  await scene.patch(one, map("drift"), { metadata: { labels: { "projectsveltos.io/reference-name": null } } });
  await scene.eventually(one, map("drift"), ({ metadata }) => metadata.labels?.["projectsveltos.io/reference-name"] === "drift");
  await stage.until(one.delete(map("drift")));
  await scene.says({ drift: "2" });
  assert.equal(await scene.said("always"), "drifted", "nobody looks without drift detection");
});

const finished = scenario("a Job that its TTL has removed is no drift", async (scene) => {
  const { hub, one, stage } = scene;
  await scene.put(hub, content("brief", [job("brief", {}, { ttlSecondsAfterFinished: 1 }), note("beside", "1")]));
  await scene.put(hub, profile("brief", { syncMode: "ContinuousWithDriftDetection" }));
  await scene.eventually(one, jobRef("brief"));
  await provisioned(scene, "brief");
  await scene.gone(one, jobRef("brief"));
  await scene.patch(one, map("beside"), { data: { v: "drifted" } });
  await scene.says({ beside: "1" });
  await stage.settle();
  assert.equal(await scene.find(one, jobRef("brief")), undefined);
});

const namespaces = scenario("namespaces that are missing are made and stay, unless the profile makes none", async (scene) => {
  const { hub, one } = scene;
  const policyRefs = [{ kind: "ConfigMap", namespace: "default", name: "strict", skipNamespaceCreation: true }];
  await scene.put(
    hub,
    content("kind", [note("inside", "1", { namespace: "fresh" })]),
    content("strict", [note("inside", "1", { namespace: "missing" })]),
  );
  await scene.put(hub, profile("kind"), profile("strict", { policyRefs }));
  await scene.eventually(one, map("inside", "fresh"));
  await scene.admits(summaryRef(scene, "strict"), /no namespace missing|namespaces \\"missing\\" not found/);
  await scene.put(one, { apiVersion: "v1", kind: "Namespace", metadata: { name: "missing" } });
  await scene.eventually(one, map("inside", "missing"));
  await scene.drop(hub, profileRef("kind"));
  assert.equal(await scene.find(one, map("inside", "fresh")), undefined);
  assert.ok(await scene.find(one, core("Namespace", "fresh", "")));
});

const conflicts = scenario(
  "what nobody owns is adopted; of two profiles the lower tier has an object, and the loser says so",
  async (scene) => {
    const { hub, one } = scene;
    await scene.put(one, setting("shared", "foreign"));
    const { uid } = (await scene.find(one, map("shared")))!.metadata;
    await scene.put(
      hub,
      content("first", [note("shared", "first"), note("first", "1")]),
      content("second", [note("shared", "second"), note("second", "2")]),
    );
    await scene.put(hub, profile("first"));
    await scene.says({ shared: "first", first: "1" });
    const adopted = await scene.find(one, map("shared"));
    assert.equal(adopted?.metadata.uid, uid, "adopted, not replaced");
    assert.ok(adopted?.metadata.managedFields?.some(({ manager }) => manager === "application/apply-patch"));
    await scene.put(hub, profile("second"));
    await scene.admits(summaryRef(scene, "second"), /currently deployed because of ConfigMap default\/first/);
    await scene.tells("ClusterProfile", "second", /currently deployed because of/);
    assert.equal(await scene.said("second"), undefined, "nothing of it is deployed");
    await scene.put(hub, profile("second", { continueOnConflict: true }));
    await scene.says({ second: "2", shared: "first" });
    await scene.put(hub, profile("second", { tier: 50 }));
    await scene.says({ shared: "second", first: "1" });
    await scene.admits(summaryRef(scene, "first"), /ClusterProfile second/);
    await scene.drop(hub, profileRef("second"));
    await scene.says({ shared: "first", second: undefined });
  },
);

const waiting = scenario("health checks hold up a profile, those that depend on it, and the next cluster of a roll-out", async (scene) => {
  const { hub, one, two, stage } = scene;
  await scene.relabelSecond({ env: "fv" });
  for (const cluster of [one, two]) await scene.put(cluster, setting("gate", "open"));
  await scene.put(hub, content("rolled", [note("rolled", "1")]), content("after", [note("after", "1")]));
  await scene.put(hub, profile("rolled", { maxUpdate: 1, ...gated }), profile("after", { dependsOn: ["rolled"] }));
  for (const cluster of [one, two]) await scene.says({ rolled: "1", after: "1" }, cluster);
  for (const cluster of [one, two]) await scene.put(cluster, setting("gate", "shut"));
  await scene.put(hub, content("next", [note("rolled", "2")]), profile("rolled", { maxUpdate: 1, ...gated, ...references("next") }));
  const saying = async (v: string) => {
    const said = [await scene.said("rolled", one), await scene.said("rolled", two)];
    return said.filter((each) => each === v).length;
  };
  for (let turn = 0; (await saying("2")) === 0; turn++) {
    assert.ok(turn < 200, "nobody has the new content");
    await stage.pause();
  }
  await stage.settle();
  assert.equal(await saying("2"), 1, "one at a time");
  await scene.admits(profileRef("rolled"), /the gate is shut|updatingClusters/);
  for (const cluster of [one, two]) await scene.put(cluster, setting("gate", "open"));
  for (const cluster of [one, two]) await scene.says({ rolled: "2" }, cluster);
  await scene.eventually(hub, profileRef("rolled"), (object) => listAt(object, "status.updatedClusters.clusters").length === 2);
  await scene.relabelSecond({ env: null });
  await scene.says({ rolled: undefined, after: undefined }, two);
});

export const profiles = [sets, order, modes, finished, namespaces, conflicts, waiting];
