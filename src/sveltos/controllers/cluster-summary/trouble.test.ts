import assert from "node:assert/strict";
import { test } from "node:test";
import { capiDefinition } from "../../../../test/support/embedded-fleet.ts";
import { content, job, refs, source } from "../../../../test/support/addon-content.ts";
import { SummaryLab } from "../../../../test/support/summary-lab.ts";
import { gvkOf } from "../../api/index.ts";
import { Fleet, inProcess } from "../../fleet/index.ts";
import { fieldsAt, listAt, stringAt } from "../../../core/object/index.ts";
import { Copies, type Desk } from "../context/index.ts";
import { keepSummaries } from "./index.ts";

test("a cluster that is lost in the middle is taken up where it was; nothing is withdrawn for it, and the other is not held up", async (t) => {
  const lab = await SummaryLab.open({ clusters: { c1: {}, c2: {} } });
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("demo", refs("s"));
  await lab.want("demo", refs("s"), { cluster: "c2" });
  await lab.apply(source("t", { a: content("a=2 b=2 c=2") }));
  lab.fleet.afterWrite = (line) => void (line.startsWith("PATCH c1") && lab.fleet.unreachable.add("c1"));
  await lab.want("demo", refs("t"));
  await lab.want("demo", refs("t"), { cluster: "c2" });
  assert.equal(await lab.configMaps("c2"), "a=2 b=2 c=2");
  await lab.unwant("demo", "c2");
  assert.equal(await lab.configMaps("c2"), "");
  await lab.unwant("demo");
  await lab.fleet.advance(600_000);
  assert.notEqual(await lab.summary("demo"), undefined, "nobody knows what is there");
  await lab.want("other", refs("s"));
  lab.fleet.written.length = 0;
  await lab.fleet.advance(60_000);
  assert.deepEqual(
    lab.fleet.written.filter((line) => line.includes("clustersummaries")),
    [],
    "while it does not answer nothing is tried",
  );
  lab.fleet.afterWrite = () => undefined;
  lab.fleet.unreachable.clear();
  await lab.fleet.advance(120_000);
  assert.equal(await lab.summary("demo"), undefined);
  assert.equal(await lab.configMaps(), "a=1", "only the other profile's");
});

test("a cluster that goes takes its summaries with it once they are to go; one that is not known leaves them to who asks", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("going", refs("s"));
  await lab.want("unknown", refs("s"));
  const cluster = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace: "mgmt", name: "c1" };
  const held = (finalizers: string[]) =>
    lab.fleet.until(lab.fleet.hub.patch(cluster, { type: "merge", patch: { metadata: { finalizers } } }));
  await held(["example.com/held"]);
  await lab.fleet.until(lab.fleet.hub.delete(cluster));
  await lab.fleet.advance(1000);
  await lab.unwant("going");
  assert.equal(await lab.summary("going"), undefined);
  await held([]);
  await lab.fleet.advance(1000);
  await lab.unwant("unknown");
  assert.notEqual(await lab.summary("unknown"), undefined);
  assert.equal(await lab.configMaps(), "a=1");
});

const hook = job("hook", { "helm.sh/hook": "pre-install" });

/** Deploys, changes and withdraws, each killed after so many writes and started again. Tells whether there were so many. */
async function killedAfter(count: number): Promise<boolean> {
  const lab = await SummaryLab.open({ runs: false });
  await lab.fleet.run();
  let wasKilled = false;
  let work: Promise<void> = Promise.resolve();
  const start = () => {
    const kill = new AbortController();
    let left = count;
    lab.fleet.afterWrite = (line) => {
      if (line.includes("sveltosclusters") || --left !== 0) return;
      wasKilled = true;
      kill.abort(new Error("killed"));
    };
    work = keepSummaries(lab.fleet.desk, AbortSignal.any([kill.signal, lab.fleet.signal]));
    return kill;
  };
  const act = async (deed: () => Promise<unknown>) => {
    await lab.fleet.until(deed());
    const first = start();
    await lab.fleet.advance(6000);
    first.abort(new Error("ended"));
    await lab.fleet.until(work);
    lab.fleet.afterWrite = () => undefined;
    const second = new AbortController();
    work = keepSummaries(lab.fleet.desk, AbortSignal.any([second.signal, lab.fleet.signal]));
    await lab.fleet.advance(6000);
    second.abort(new Error("ended"));
    await lab.fleet.until(work);
  };
  await lab.fleet.apply(source("s", { a: content("a=1 b=1"), h: hook }));
  const summary = await lab.summaryFor("demo", refs("s"));
  await act(() => lab.fleet.hub.create(summary));
  assert.equal(await lab.configMaps(), "a=1 b=1");
  assert.equal(await lab.state("demo"), "Provisioned");
  assert.notEqual((await lab.configuration())?.["status"], undefined);
  await act(() => lab.fleet.apply(source("s", { a: content("a=2"), h: hook })));
  assert.equal(await lab.configMaps(), "a=2");
  assert.equal((await lab.status("demo")).releases?.[0]?.revision, 2);
  await act(() => lab.fleet.hub.delete(lab.refOf("demo")));
  assert.equal(await lab.configMaps(), "");
  assert.equal(await lab.summary("demo"), undefined);
  assert.equal(await lab.configuration(), undefined);
  await lab.close();
  return wasKilled;
}

test("killed after any write, the next one carries on", async () => {
  let count = 1;
  while (await killedAfter(count)) count += 4;
  assert.ok(count > 6, `there were ${count} writes`);
});

const slow = job("main", { "werf.io/weight": "1" }).replace('"good"', '"slow"');

test("replicas hand a cluster over in the middle of a deploy; the hook runs once, and the former owner writes no more", async (t) => {
  const lab = await SummaryLab.open({ runs: false, behaviour: [{ match: { image: "slow" }, run: "1h" }] });
  t.after(() => lab.close());
  const replica = (identity: string): Desk => {
    const { hub } = lab.fleet;
    const fleet = new Fleet(hub, { open: inProcess((name) => lab.fleet.managed(name)), attendAll: false });
    return { ...lab.fleet.desk, identity, fleet, copies: new Copies(hub, lab.fleet.signal) };
  };
  const [a, b] = [replica("a"), replica("b")];
  const run = (desk: Desk) => [desk.fleet.run(lab.fleet.signal), keepSummaries(desk, lab.fleet.signal)];
  const works = [...run(a), ...run(b)];
  const [first, second] = [new AbortController(), new AbortController()];
  void a.fleet.attend("Sveltos/mgmt/c1", first.signal);
  await lab.apply(source("s", { a: content("a=1", { "werf.io/weight": "2" }), b: slow, h: hook }));
  await lab.want("demo", refs("s"));
  await lab.fleet.advance(45_000);
  assert.equal(await lab.state("demo"), "Provisioning");
  assert.equal((await lab.status("demo")).releases?.[0]?.hooks?.length, 1);
  first.abort(new Error("goes to another"));
  lab.fleet.written.length = 0;
  await lab.fleet.advance(5000);
  assert.deepEqual(lab.fleet.written, []);
  void b.fleet.attend("Sveltos/mgmt/c1", AbortSignal.any([second.signal, lab.fleet.signal]));
  await lab.fleet.advance(7_200_000);
  assert.equal(await lab.state("demo"), "Provisioned");
  assert.equal(await lab.configMaps(), "a=1");
  const jobs = (lab.fleet.written as readonly string[]).filter((line) => line.includes("/jobs/hook"));
  assert.deepEqual(jobs, [], "it has run for the first, and that is known");
  t.after(() => Promise.allSettled(works));
});

const spec = `syncMode: ContinuousWithDriftDetection\n${refs("s")}`;
const configMap = (name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name });

test("what drifts is put back at once, and only with drift detection; our own writes are no drift", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  const managed = lab.fleet.managed("c1");
  const texts = { a: content("a=1 b=1"), i: content("i=1", { "projectsveltos.io/driftDetectionIgnore": "ok" }) };
  await lab.apply(source("s", { ...texts, j: job("short", {}, { ttlSecondsAfterFinished: 10 }) }));
  await lab.want("demo", spec);
  assert.equal(await lab.configMaps(), "a=1 b=1 i=1");
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  const ours = () => lab.fleet.written.filter((line) => line.startsWith("PATCH c1"));
  assert.equal(
    await lab.fleet.get({ group: "batch", version: "v1", kind: "Job", namespace: "default", name: "short" }, managed),
    undefined,
  );
  assert.deepEqual(ours(), [], "a Job whose time is over is no drift, and neither is what we wrote");
  await lab.apply(content("a=9 i=9"), "c1");
  await lab.fleet.until(managed.delete(configMap("b")));
  await lab.fleet.advance(100);
  assert.equal(await lab.configMaps(), "a=1 b=1 i=9");
  assert.equal((await lab.status("demo")).releases?.[0]?.revision, 1);
  await lab.apply(source("s", { ...texts, a: content("a=2 b=2") }));
  await lab.apply(content("a=9 i=9"), "c1");
  assert.equal(await lab.configMaps(), "a=2 b=2 i=9", "what came by an upgrade is watched as well");
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  assert.deepEqual(lab.fleet.written, []);
  await lab.want("demo", refs("s"));
  await lab.apply(content("a=9"), "c1");
  assert.equal(await lab.configMaps(), "a=9 b=2 i=9", "nobody looks any more");
});

test("content of a kind that is not served is deployed as soon as it is", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: "{apiVersion: cluster.x-k8s.io/v1beta1, kind: Cluster, metadata: {name: w, namespace: default}}" }));
  await lab.want("demo", refs("s"));
  assert.match(await lab.state("demo"), /knows no kind/);
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  assert.deepEqual(lab.fleet.written, []);
  await lab.fleet.until(lab.fleet.managed("c1").create(capiDefinition));
  await lab.fleet.advance(5000);
  assert.equal(await lab.state("demo"), "Provisioned");
  await lab.apply(source("t", { a: content("t=1").replace('"default"', '"later"') }));
  await lab.want("other", "policyRefs: [{kind: ConfigMap, namespace: default, name: t, skipNamespaceCreation: true}]");
  assert.match(await lab.state("other"), /there is no namespace later/);
  await lab.apply("{apiVersion: v1, kind: Namespace, metadata: {name: later}}", "c1");
  await lab.fleet.advance(60_000);
  assert.equal(await lab.state("other"), "Provisioned", "it is tried again, ever more seldom");
});

test("a dry run has a ClusterReport that follows the cluster, until it is meant", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("first=yellow brand-new=1") }));
  await lab.want("dry", refs("s"));
  await lab.want("dry", `syncMode: DryRun\n${refs("s")}`);
  await lab.apply(source("s", { a: content("first=black third=1") }));
  const ref = { ...gvkOf("ClusterReport"), namespace: "mgmt", name: "dry--sveltos--c1" };
  const actions = async () =>
    listAt(await lab.fleet.get(ref), "status.resourceReports").map(
      (each) => `${stringAt(each, "action")} ${stringAt(each, "resource.name")}`,
    );
  const report = await lab.fleet.get(ref);
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
  assert.equal(await lab.state("dry"), "Provisioning");
  assert.deepEqual(await actions(), ["Update first", "Create third", "Delete brand-new"]);
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  assert.deepEqual(lab.fleet.written, [], "the same report is not written again");
  await lab.apply(content("third=1"), "c1");
  assert.deepEqual(await actions(), ["Update first", "Update third", "Delete brand-new"]);
  await lab.want("dry", refs("s"));
  assert.equal(await lab.fleet.get(ref), undefined);
  assert.equal(await lab.configMaps(), "first=black third=1");
});
