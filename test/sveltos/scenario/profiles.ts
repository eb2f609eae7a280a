/** What profiles deploy and keep deployed. */
import assert from "node:assert/strict";
import { clusterConfigurationName, clusterSummaryName } from "../../../src/sveltos/api/index.ts";
import { findCondition, listAt, stringAt, type KubeObject, type Fields } from "../../../src/core/object/index.ts";
import { fleetScenario, type ScenarioContext } from "../scenario-context.ts";
import {
  contentConfigMap,
  coreRef,
  jobText,
  jobRef,
  configMapRef,
  valueConfigMapText,
  sveltosObject,
  sveltosRef,
  profile,
  policyRefsTo,
  valueConfigMap,
} from "../../support/sveltos-objects.ts";

const profileRef = (name: string) => sveltosRef("ClusterProfile", name);
const summaryRef = ({ fixture }: ScenarioContext, name: string, index: 0 | 1 = 0) =>
  sveltosRef("ClusterSummary", clusterSummaryName("ClusterProfile", name, fixture.ids[index]), fixture.ids[index].namespace);

/** Waits until a profile is provisioned in the first cluster. */
const provisioned = (context: ScenarioContext, name: string) =>
  context.eventuallyStatus(summaryRef(context, name), /"featureID":"Resources"[^}]*"status":"Provisioned"/);

/** A health check that the ConfigMap `gate` is open. */
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

const sets = fleetScenario("ClusterProfiles and Profiles find clusters by labels, ClusterSets and Sets", async (context) => {
  const { hub, one, two, fixture } = context;
  const { namespace } = fixture.ids[0];
  const fv = { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 1 };
  const inside: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "inside", namespace },
    data: { it: valueConfigMapText("inside", "1") },
  };
  const policyRefs = [{ kind: "ConfigMap", namespace, name: "inside" }];
  await context.apply(hub, contentConfigMap("whole", [valueConfigMapText("whole", "1")]), inside);
  await context.apply(hub, sveltosObject("ClusterSet", "some", fv), sveltosObject("Set", "some", fv, { namespace }));
  await context.apply(hub, profile("whole", { clusterSelector: {}, setRefs: ["some"] }));
  await context.apply(hub, sveltosObject("Profile", "inside", { setRefs: ["some"], policyRefs }, { namespace }));
  await context.eventuallyData({ whole: "1", inside: "1" });
  await context.eventuallyStatus(sveltosRef("ClusterSet", "some"), /selectedClusterRefs.*"name":"one"/);
  await context.eventuallyStatus(sveltosRef("Set", "some", namespace), /selectedClusterRefs.*"name":"one"/);
  await context.eventuallyStatus(sveltosRef("Profile", "inside", namespace), /matchingClusters.*"name":"one"/);
  await fixture.settle();
  assert.deepEqual([await context.dataOf("whole", two), await context.dataOf("inside", two)], [undefined, undefined]);
  await fixture.relabel({ env: "none" });
  await context.eventuallyData({ whole: undefined, inside: undefined }, one);
  await fixture.relabel({ env: "fv" });
  await context.eventuallyData({ whole: "1", inside: "1" }, one);
});

const order = fleetScenario("hooks, weights and waits inside a profile work, and a second reconcile runs no hook", async (context) => {
  const { hub, one, fixture } = context;
  const hooks = { "helm.sh/hook": "pre-install,post-delete" };
  const texts = (v: string) => [
    valueConfigMapText("last", v, { annotations: { "werf.io/weight": "2" } }),
    jobText("before", { "werf.io/weight": "1" }),
    jobText("hook", hooks),
  ];
  await context.apply(hub, contentConfigMap("ordered", texts("1")), profile("ordered"));
  const last = await context.eventually(one, configMapRef("last"));
  await provisioned(context, "ordered");
  const [hook, before] = await Promise.all([context.find(one, jobRef("hook")), context.find(one, jobRef("before"))]);
  assert.ok(findCondition(before, "Complete", "True"));
  assert.ok(end(hook) <= start(before), "the hook comes first");
  assert.ok(end(before) <= start(last), "the second weight waits for the first");
  await context.patch(hub, profileRef("ordered"), { spec: { tier: 90 } });
  await context.eventually(hub, summaryRef(context, "ordered"), (object) => JSON.stringify(object["spec"]).includes('"tier":90'));
  await context.apply(hub, contentConfigMap("ordered", texts("2")));
  await context.eventuallyData({ last: "2" });
  await fixture.settle();
  assert.equal((await context.find(one, jobRef("hook")))?.metadata.uid, hook?.metadata.uid, "an upgrade is no install");
  await context.delete(hub, profileRef("ordered"));
  assert.deepEqual([await context.find(one, configMapRef("last")), await context.find(one, jobRef("before"))], [undefined, undefined]);
  assert.notEqual((await context.find(one, jobRef("hook")))?.metadata.uid, hook?.metadata.uid, "a withdrawal is a delete");
  await context.delete(one, jobRef("hook"));
});

const modes = fleetScenario("each syncMode works as documented, and what is deployed or would be is reported", async (context) => {
  const { hub, one, fixture } = context;
  const [id] = fixture.ids;
  const names = ["once", "always", "dry", "drift"];
  const kinds = { once: "OneTime", always: "Continuous", dry: "DryRun", drift: "ContinuousWithDriftDetection" } as const;
  const write = (v: string) => context.apply(hub, ...names.map((name) => contentConfigMap(name, [valueConfigMapText(name, v)])));
  await write("1");
  await context.apply(hub, ...Object.entries(kinds).map(([name, syncMode]) => profile(name, { syncMode })));
  await context.eventuallyData({ once: "1", always: "1", drift: "1" });
  for (const name of ["once", "always", "drift"]) await provisioned(context, name);
  const configuration = sveltosRef("ClusterConfiguration", clusterConfigurationName(id), id.namespace);
  await context.eventually(hub, configuration, (object) =>
    ["once", "always", "drift"].every((name) => JSON.stringify(object).includes(`"name":"${name}"`)),
  );
  const reports = async () => (await context.list(hub, "ClusterReport")).map((report) => JSON.stringify(report["status"] ?? {}));
  for (let turn = 0; !(await reports()).some((text) => text.includes('"dry"')); turn++) {
    assert.ok(turn < 100, "there is no ClusterReport");
    await fixture.pause();
  }
  assert.match((await reports()).join(), /"action":"Create"/);
  await write("2");
  await context.eventuallyData({ always: "2", drift: "2" });
  await fixture.settle();
  assert.deepEqual([await context.dataOf("once"), await context.dataOf("dry")], ["1", undefined]);
  for (const name of ["always", "drift"]) await context.patch(one, configMapRef(name), { data: { v: "drifted" } });
  await context.eventuallyData({ drift: "2" });
  await context.patch(one, configMapRef("drift"), { metadata: { labels: { "projectsveltos.io/reference-name": null } } });
  await context.eventually(one, configMapRef("drift"), ({ metadata }) => metadata.labels?.["projectsveltos.io/reference-name"] === "drift");
  await fixture.until(one.delete(configMapRef("drift")));
  await context.eventuallyData({ drift: "2" });
  assert.equal(await context.dataOf("always"), "drifted", "drift is not detected");
});

const finished = fleetScenario("a Job that its TTL has removed is no drift", async (context) => {
  const { hub, one, fixture } = context;
  await context.apply(
    hub,
    contentConfigMap("brief", [jobText("brief", {}, { ttlSecondsAfterFinished: 1 }), valueConfigMapText("beside", "1")]),
  );
  await context.apply(hub, profile("brief", { syncMode: "ContinuousWithDriftDetection" }));
  await context.eventually(one, jobRef("brief"));
  await provisioned(context, "brief");
  await context.eventuallyGone(one, jobRef("brief"));
  await context.patch(one, configMapRef("beside"), { data: { v: "drifted" } });
  await context.eventuallyData({ beside: "1" });
  await fixture.settle();
  assert.equal(await context.find(one, jobRef("brief")), undefined);
});

const namespaces = fleetScenario("namespaces that are missing are made and stay, unless the profile makes none", async (context) => {
  const { hub, one } = context;
  const policyRefs = [{ kind: "ConfigMap", namespace: "default", name: "strict", skipNamespaceCreation: true }];
  await context.apply(
    hub,
    contentConfigMap("kind", [valueConfigMapText("inside", "1", { namespace: "fresh" })]),
    contentConfigMap("strict", [valueConfigMapText("inside", "1", { namespace: "missing" })]),
  );
  await context.apply(hub, profile("kind"), profile("strict", { policyRefs }));
  await context.eventually(one, configMapRef("inside", "fresh"));
  await context.eventuallyStatus(summaryRef(context, "strict"), /no namespace missing|namespaces \\"missing\\" not found/);
  await context.apply(one, { apiVersion: "v1", kind: "Namespace", metadata: { name: "missing" } });
  await context.eventually(one, configMapRef("inside", "missing"));
  await context.delete(hub, profileRef("kind"));
  assert.equal(await context.find(one, configMapRef("inside", "fresh")), undefined);
  assert.ok(await context.find(one, coreRef("Namespace", "fresh", "")));
});

const conflicts = fleetScenario(
  "an object without an owner is adopted; of two profiles the lower tier owns an object, and the other reports the conflict",
  async (context) => {
    const { hub, one } = context;
    await context.apply(one, valueConfigMap("shared", "foreign"));
    const { uid } = (await context.find(one, configMapRef("shared")))!.metadata;
    await context.apply(
      hub,
      contentConfigMap("first", [valueConfigMapText("shared", "first"), valueConfigMapText("first", "1")]),
      contentConfigMap("second", [valueConfigMapText("shared", "second"), valueConfigMapText("second", "2")]),
    );
    await context.apply(hub, profile("first"));
    await context.eventuallyData({ shared: "first", first: "1" });
    const adopted = await context.find(one, configMapRef("shared"));
    assert.equal(adopted?.metadata.uid, uid, "adopted, not replaced");
    assert.ok(adopted?.metadata.managedFields?.some(({ manager }) => manager === "application/apply-patch"));
    await context.apply(hub, profile("second"));
    await context.eventuallyStatus(summaryRef(context, "second"), /currently deployed because of ConfigMap default\/first/);
    await context.eventuallyEvent("ClusterProfile", "second", /currently deployed because of/);
    assert.equal(await context.dataOf("second"), undefined, "nothing of it is deployed");
    await context.apply(hub, profile("second", { continueOnConflict: true }));
    await context.eventuallyData({ second: "2", shared: "first" });
    await context.apply(hub, profile("second", { tier: 50 }));
    await context.eventuallyData({ shared: "second", first: "1" });
    await context.eventuallyStatus(summaryRef(context, "first"), /ClusterProfile second/);
    await context.delete(hub, profileRef("second"));
    await context.eventuallyData({ shared: "first", second: undefined });
  },
);

const waiting = fleetScenario(
  "health checks delay a profile, those that depend on it, and the next cluster of a roll-out",
  async (context) => {
    const { hub, one, two, fixture } = context;
    await context.relabelSecond({ env: "fv" });
    for (const cluster of [one, two]) await context.apply(cluster, valueConfigMap("gate", "open"));
    await context.apply(
      hub,
      contentConfigMap("rolled", [valueConfigMapText("rolled", "1")]),
      contentConfigMap("after", [valueConfigMapText("after", "1")]),
    );
    await context.apply(hub, profile("rolled", { maxUpdate: 1, ...gated }), profile("after", { dependsOn: ["rolled"] }));
    for (const cluster of [one, two]) await context.eventuallyData({ rolled: "1", after: "1" }, cluster);
    for (const cluster of [one, two]) await context.apply(cluster, valueConfigMap("gate", "shut"));
    await context.apply(
      hub,
      contentConfigMap("next", [valueConfigMapText("rolled", "2")]),
      profile("rolled", { maxUpdate: 1, ...gated, ...policyRefsTo("next") }),
    );
    const saying = async (v: string) => {
      const said = [await context.dataOf("rolled", one), await context.dataOf("rolled", two)];
      return said.filter((each) => each === v).length;
    };
    for (let turn = 0; (await saying("2")) === 0; turn++) {
      assert.ok(turn < 200, "no cluster has the new content");
      await fixture.pause();
    }
    await fixture.settle();
    assert.equal(await saying("2"), 1, "one at a time");
    await context.eventuallyStatus(profileRef("rolled"), /the gate is shut|updatingClusters/);
    for (const cluster of [one, two]) await context.apply(cluster, valueConfigMap("gate", "open"));
    for (const cluster of [one, two]) await context.eventuallyData({ rolled: "2" }, cluster);
    await context.eventually(hub, profileRef("rolled"), (object) => listAt(object, "status.updatedClusters.clusters").length === 2);
    await context.relabelSecond({ env: null });
    await context.eventuallyData({ rolled: undefined, after: undefined }, two);
  },
);

export const profileScenarios = [sets, order, modes, finished, namespaces, conflicts, waiting];
