import assert from "node:assert/strict";
import { test } from "node:test";
import { capiCrd } from "../../../../test/support/embedded-fleet.ts";
import { configMapsYaml, jobYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { SummaryFixture } from "../../../../test/support/summary-fixture.ts";
import { gvkOf } from "../../api/index.ts";
import { Fleet, inProcessOpener } from "../../fleet/index.ts";
import { fieldsAt, listAt, stringAt } from "../../../core/object/index.ts";
import { SharedCache, type ControllerContext } from "../context/index.ts";
import { runSummaryController } from "./index.ts";

test("a deploy continues after its cluster was unreachable; nothing is withdrawn, and other clusters are not delayed", async (t) => {
  const fixture = await SummaryFixture.open({ clusters: { c1: {}, c2: {} } });
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy("demo", policyRefsYaml("s"));
  await fixture.deploy("demo", policyRefsYaml("s"), { cluster: "c2" });
  await fixture.apply(sourceYaml("t", { a: configMapsYaml("a=2 b=2 c=2") }));
  fixture.fleet.afterWrite = (line) => void (line.startsWith("PATCH c1") && fixture.fleet.unreachable.add("c1"));
  await fixture.deploy("demo", policyRefsYaml("t"));
  await fixture.deploy("demo", policyRefsYaml("t"), { cluster: "c2" });
  assert.equal(await fixture.configMaps("c2"), "a=2 b=2 c=2");
  await fixture.withdraw("demo", "c2");
  assert.equal(await fixture.configMaps("c2"), "");
  await fixture.withdraw("demo");
  await fixture.fleet.advance(600_000);
  assert.notEqual(await fixture.summary("demo"), undefined, "nobody knows what is there");
  await fixture.deploy("other", policyRefsYaml("s"));
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(60_000);
  assert.deepEqual(
    fixture.fleet.written.filter((line) => line.includes("clustersummaries")),
    [],
    "while it does not answer nothing is tried",
  );
  fixture.fleet.afterWrite = () => undefined;
  fixture.fleet.unreachable.clear();
  await fixture.fleet.advance(120_000);
  assert.equal(await fixture.summary("demo"), undefined);
  assert.equal(await fixture.configMaps(), "a=1", "only the other profile's");
});

test("a deleted cluster releases its deleted summaries; an unknown one does not", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy("going", policyRefsYaml("s"));
  await fixture.deploy("unknown", policyRefsYaml("s"));
  const cluster = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace: "mgmt", name: "c1" };
  const held = (finalizers: string[]) =>
    fixture.fleet.until(fixture.fleet.hub.patch(cluster, { type: "merge", patch: { metadata: { finalizers } } }));
  await held(["example.com/held"]);
  await fixture.fleet.until(fixture.fleet.hub.delete(cluster));
  await fixture.fleet.advance(1000);
  await fixture.withdraw("going");
  assert.equal(await fixture.summary("going"), undefined);
  await held([]);
  await fixture.fleet.advance(1000);
  await fixture.withdraw("unknown");
  assert.notEqual(await fixture.summary("unknown"), undefined);
  assert.equal(await fixture.configMaps(), "a=1");
});

const hook = jobYaml("hook", { "helm.sh/hook": "pre-install" });

/** Deploys, changes and withdraws, each killed after so many writes and started again. Tells whether there were so many. */
async function killedAfter(count: number): Promise<boolean> {
  const fixture = await SummaryFixture.open({ runs: false });
  await fixture.fleet.run();
  let wasKilled = false;
  let work: Promise<void> = Promise.resolve();
  const start = () => {
    const kill = new AbortController();
    let left = count;
    fixture.fleet.afterWrite = (line) => {
      if (line.includes("sveltosclusters") || --left !== 0) return;
      wasKilled = true;
      kill.abort(new Error("killed"));
    };
    work = runSummaryController(fixture.fleet.context, AbortSignal.any([kill.signal, fixture.fleet.signal]));
    return kill;
  };
  const act = async (deed: () => Promise<unknown>) => {
    await fixture.fleet.until(deed());
    const first = start();
    await fixture.fleet.advance(6000);
    first.abort(new Error("ended"));
    await fixture.fleet.until(work);
    fixture.fleet.afterWrite = () => undefined;
    const second = new AbortController();
    work = runSummaryController(fixture.fleet.context, AbortSignal.any([second.signal, fixture.fleet.signal]));
    await fixture.fleet.advance(6000);
    second.abort(new Error("ended"));
    await fixture.fleet.until(work);
  };
  await fixture.fleet.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=1"), h: hook }));
  const summary = await fixture.summaryFor("demo", policyRefsYaml("s"));
  await act(() => fixture.fleet.hub.create(summary));
  assert.equal(await fixture.configMaps(), "a=1 b=1");
  assert.equal(await fixture.state("demo"), "Provisioned");
  assert.notEqual((await fixture.configuration())?.["status"], undefined);
  await act(() => fixture.fleet.apply(sourceYaml("s", { a: configMapsYaml("a=2"), h: hook })));
  assert.equal(await fixture.configMaps(), "a=2");
  assert.equal((await fixture.status("demo")).releases?.[0]?.revision, 2);
  await act(() => fixture.fleet.hub.delete(fixture.refOf("demo")));
  assert.equal(await fixture.configMaps(), "");
  assert.equal(await fixture.summary("demo"), undefined);
  assert.equal(await fixture.configuration(), undefined);
  await fixture.close();
  return wasKilled;
}

test("killed after any write, the next controller continues", async () => {
  let count = 1;
  while (await killedAfter(count)) count += 4;
  assert.ok(count > 6, `there were ${count} writes`);
});

const slow = jobYaml("main", { "werf.io/weight": "1" }).replace('"good"', '"slow"');

test("a cluster changes its replica during a deploy; the hook runs once, and the previous owner writes no more", async (t) => {
  const fixture = await SummaryFixture.open({ runs: false, behaviour: [{ match: { image: "slow" }, run: "1h" }] });
  t.after(() => fixture.close());
  const replica = (identity: string): ControllerContext => {
    const { hub } = fixture.fleet;
    const fleet = new Fleet(hub, { open: inProcessOpener((name) => fixture.fleet.managed(name)), manageAll: false });
    return { ...fixture.fleet.context, identity, fleet, cache: new SharedCache(hub, fixture.fleet.signal) };
  };
  const [a, b] = [replica("a"), replica("b")];
  const run = (context: ControllerContext) => [
    context.fleet.run(fixture.fleet.signal),
    runSummaryController(context, fixture.fleet.signal),
  ];
  const works = [...run(a), ...run(b)];
  const [first, second] = [new AbortController(), new AbortController()];
  void a.fleet.manage("Sveltos/mgmt/c1", first.signal);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1", { "werf.io/weight": "2" }), b: slow, h: hook }));
  await fixture.deploy("demo", policyRefsYaml("s"));
  await fixture.fleet.advance(45_000);
  assert.equal(await fixture.state("demo"), "Provisioning");
  assert.equal((await fixture.status("demo")).releases?.[0]?.hooks?.length, 1);
  first.abort(new Error("goes to another"));
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(5000);
  assert.deepEqual(fixture.fleet.written, []);
  void b.fleet.manage("Sveltos/mgmt/c1", AbortSignal.any([second.signal, fixture.fleet.signal]));
  await fixture.fleet.advance(7_200_000);
  assert.equal(await fixture.state("demo"), "Provisioned");
  assert.equal(await fixture.configMaps(), "a=1");
  const jobs = (fixture.fleet.written as readonly string[]).filter((line) => line.includes("/jobs/hook"));
  assert.deepEqual(jobs, [], "it has run for the first, and that is known");
  t.after(() => Promise.allSettled(works));
});

const spec = `syncMode: ContinuousWithDriftDetection\n${policyRefsYaml("s")}`;
const configMap = (name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name });

test("drift is repaired at once, and only with drift detection; own writes are no drift", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  const managed = fixture.fleet.managed("c1");
  const texts = { a: configMapsYaml("a=1 b=1"), i: configMapsYaml("i=1", { "projectsveltos.io/driftDetectionIgnore": "ok" }) };
  await fixture.apply(sourceYaml("s", { ...texts, j: jobYaml("short", {}, { ttlSecondsAfterFinished: 10 }) }));
  await fixture.deploy("demo", spec);
  assert.equal(await fixture.configMaps(), "a=1 b=1 i=1");
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(600_000);
  const ours = () => fixture.fleet.written.filter((line) => line.startsWith("PATCH c1"));
  assert.equal(
    await fixture.fleet.get({ group: "batch", version: "v1", kind: "Job", namespace: "default", name: "short" }, managed),
    undefined,
  );
  assert.deepEqual(ours(), [], "a Job whose time is over is no drift, and neither is what we wrote");
  await fixture.apply(configMapsYaml("a=9 i=9"), "c1");
  await fixture.fleet.until(managed.delete(configMap("b")));
  await fixture.fleet.advance(100);
  assert.equal(await fixture.configMaps(), "a=1 b=1 i=9");
  assert.equal((await fixture.status("demo")).releases?.[0]?.revision, 1);
  await fixture.apply(sourceYaml("s", { ...texts, a: configMapsYaml("a=2 b=2") }));
  await fixture.apply(configMapsYaml("a=9 i=9"), "c1");
  assert.equal(await fixture.configMaps(), "a=2 b=2 i=9", "what came by an upgrade is watched as well");
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(600_000);
  assert.deepEqual(fixture.fleet.written, []);
  await fixture.deploy("demo", policyRefsYaml("s"));
  await fixture.apply(configMapsYaml("a=9"), "c1");
  assert.equal(await fixture.configMaps(), "a=9 b=2 i=9", "nobody looks any more");
});

test("content of an unserved kind is deployed as soon as the kind is served", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(
    sourceYaml("s", { a: "{apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster, metadata: {name: w, namespace: default}}" }),
  );
  await fixture.deploy("demo", policyRefsYaml("s"));
  assert.match(await fixture.state("demo"), /knows no kind/);
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(600_000);
  assert.deepEqual(fixture.fleet.written, []);
  await fixture.fleet.until(fixture.fleet.managed("c1").create(capiCrd));
  await fixture.fleet.advance(5000);
  assert.equal(await fixture.state("demo"), "Provisioned");
  await fixture.apply(sourceYaml("t", { a: configMapsYaml("t=1").replace('"default"', '"later"') }));
  await fixture.deploy("other", "policyRefs: [{kind: ConfigMap, namespace: default, name: t, skipNamespaceCreation: true}]");
  assert.match(await fixture.state("other"), /there is no namespace later/);
  await fixture.apply("{apiVersion: v1, kind: Namespace, metadata: {name: later}}", "c1");
  await fixture.fleet.advance(60_000);
  assert.equal(await fixture.state("other"), "Provisioned", "it is tried again, ever more seldom");
});

test("a dry run has a ClusterReport that follows the cluster, until the profile is deployed", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("first=yellow brand-new=1") }));
  await fixture.deploy("dry", policyRefsYaml("s"));
  await fixture.deploy("dry", `syncMode: DryRun\n${policyRefsYaml("s")}`);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("first=black third=1") }));
  const ref = { ...gvkOf("ClusterReport"), namespace: "mgmt", name: "dry--sveltos--c1" };
  const actions = async () =>
    listAt(await fixture.fleet.get(ref), "status.resourceReports").map(
      (each) => `${stringAt(each, "action")} ${stringAt(each, "resource.name")}`,
    );
  const report = await fixture.fleet.get(ref);
  // As corpus/sveltos-recorded/09-clusterprofile/10-after.json has it.
  assert.deepEqual(report?.metadata.labels, {
    "projectsveltos.io/cluster-name": "c1",
    "projectsveltos.io/cluster-profile-name": "dry",
    "projectsveltos.io/cluster-type": "Sveltos",
  });
  assert.deepEqual(fieldsAt(report, "spec"), { clusterName: "c1", clusterNamespace: "mgmt" });
  assert.deepEqual(
    report?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
    ["ClusterProfile dry"],
  );
  assert.equal(await fixture.state("dry"), "Provisioning");
  assert.deepEqual(await actions(), ["Update first", "Create third", "Delete brand-new"]);
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(600_000);
  assert.deepEqual(fixture.fleet.written, [], "the same report is not written again");
  await fixture.apply(configMapsYaml("third=1"), "c1");
  assert.deepEqual(await actions(), ["Update first", "Update third", "Delete brand-new"]);
  await fixture.deploy("dry", policyRefsYaml("s"));
  assert.equal(await fixture.fleet.get(ref), undefined);
  assert.equal(await fixture.configMaps(), "first=black third=1");
});
