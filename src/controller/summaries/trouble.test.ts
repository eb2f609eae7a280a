import assert from "node:assert/strict";
import { test } from "node:test";
import { Fleet, inProcess } from "../../fleet/index.ts";
import { Copies } from "../copies.ts";
import type { Desk } from "../desk.ts";
import { content, job, refs, source, SummaryLab } from "./fixture.test.ts";
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

test("a cluster that is gone takes its summaries with it once they are to go", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("demo", refs("s"));
  const cluster = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace: "mgmt", name: "c1" };
  await lab.fleet.until(lab.fleet.hub.delete(cluster));
  await lab.fleet.advance(1000);
  assert.notEqual(await lab.summary("demo"), undefined);
  await lab.unwant("demo");
  assert.deepEqual([await lab.summary("demo"), await lab.configuration()], [undefined, undefined]);
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
    await lab.fleet.advance(20_000);
    first.abort(new Error("ended"));
    await lab.fleet.until(work);
    lab.fleet.afterWrite = () => undefined;
    const second = new AbortController();
    work = keepSummaries(lab.fleet.desk, AbortSignal.any([second.signal, lab.fleet.signal]));
    await lab.fleet.advance(20_000);
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
  while (await killedAfter(count)) count += 2;
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
