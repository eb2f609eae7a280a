import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { clusterKey, keepSets, selectedBy } from "../../fleet/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { listAt, refOf, valueAt } from "../../../core/object/index.ts";
import { Copies, type Desk } from "../index.ts";
import { all, content, eventSource, Lab, opened, service, trigger } from "../../../../test/support/trigger-lab.ts";
import { keepTriggers } from "./index.ts";
import { statusOf } from "./status.ts";

const text = "{{ .Resource.metadata.name }}";

const addOn = (name: string) =>
  trigger(name)
    .replace("v1beta1", "v1alpha1")
    .replace("EventTrigger", "EventBasedAddOn")
    .replace("sourceClusterSelector: {matchLabels: {env: fv}}", "clusterSelector: env=fv");

test("an EventBasedAddOn does what an EventTrigger does, unless one of its name is there", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), addOn("t")));
  await lab.reports("services", "c1", [service("a")]);
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.deepEqual(await lab.infos("t", "EventBasedAddOn"), ["c1 Provisioned"]);
  const names = await lab.names();
  await lab.apply(trigger("t"));
  const { failureMessage = "" } = await lab.status("t", "EventBasedAddOn");
  assert.match(failureMessage, /^EventTrigger t has the name already/);
  assert.match(lab.notes.join("\n"), /^t Warning Refused: EventTrigger t has the name already/);
  assert.deepEqual(await lab.names(), names);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  // The one that was refused goes without taking anything with it, and comes into its own when the other is gone.
  const ref = { ...gvkOf("EventBasedAddOn"), namespace: "", name: "t" };
  await lab.delete(ref);
  assert.equal(await lab.fleet.get(ref), undefined);
  assert.deepEqual(await lab.names(), names);
  await lab.apply(addOn("t"));
  await lab.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "t" });
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.equal((await lab.status("t", "EventBasedAddOn")).failureMessage, undefined);
});

test("a trigger that is refused says so; nothing is made, and what is there stays", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const names = await lab.names();
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  const patch = (value: object) => lab.fleet.until(lab.fleet.hub.patch(ref, { type: "merge", patch: value }));
  await patch({ metadata: { labels: { "projectsveltos.io/admin-name": "tenant" } } });
  await lab.reports("services", "c1", [service("a"), service("b")]);
  assert.deepEqual(await lab.names(), names);
  const refusal = "not built into Sluice, therefore nothing is deployed: metadata.labels[projectsveltos.io/admin-name]";
  assert.equal((await lab.status("t")).failureMessage, refusal);
  assert.deepEqual(lab.notes, [`t Warning Refused: ${refusal}`]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  await patch({ metadata: { labels: { "projectsveltos.io/admin-name": null } } });
  await lab.pass();
  assert.deepEqual(await lab.texts(), ["a: a", "b: b"]);
  assert.equal((await lab.status("t")).failureMessage, undefined);
  assert.equal(lab.counts.get("sluice_trigger_failures_total"), 1);
});

test("what fails when a profile is deployed is told in its trigger", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const [profile] = await lab.profiles();
  assert.ok(profile);
  const summary = await lab.fleet.until(
    lab.fleet.hub.create({
      apiVersion: "config.projectsveltos.io/v1beta1",
      kind: "ClusterSummary",
      metadata: { name: `${profile.metadata.name}-sveltos-c1`, namespace: "mgmt", labels: profile.metadata.labels ?? {} },
      spec: { clusterName: "c1", clusterNamespace: "mgmt", clusterType: "Sveltos" },
    }),
  );
  await lab.pass();
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioning"]);
  const tell = async (feature: object) => {
    const status = { featureSummaries: [{ featureID: "Resources", ...feature }] };
    await lab.fleet.until(lab.fleet.hub.patch(refOf(summary), { type: "merge", patch: { status } }, { subresource: "status" }));
    await lab.fleet.advance(50);
  };
  await tell({ status: "Failed", failureMessage: "forbidden" });
  const line = `ClusterSummary ${profile.metadata.name}-sveltos-c1: forbidden`;
  assert.deepEqual(await lab.infos("t"), [`c1 Failed ${line}`]);
  assert.deepEqual(lab.notes, [`t Warning DeployFailed: ${line}`]);
  await tell({ status: "Provisioned" });
  await lab.pass();
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
});

test("a source or report that cannot be read costs nothing that is there", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const names = await lab.names();
  const reportRef = { ...gvkOf("EventReport"), namespace: "mgmt", name: "sveltos--services--c1" };
  const resources = Buffer.from('{"kind":').toString("base64");
  await lab.fleet.until(lab.fleet.hub.patch(reportRef, { type: "merge", patch: { spec: { resources } } }));
  await lab.pass();
  assert.deepEqual(await lab.names(), names);
  assert.match((await lab.infos("t")).join(), /^c1 Failed EventReport sveltos--services--c1: the resources of the report end/);
  await lab.fleet.until(lab.fleet.hub.patch(reportRef, { type: "merge", patch: { spec: { matchingResources: [], resources: null } } }));
  await lab.pass();
  assert.deepEqual(await lab.names(), names, "an empty list is nobody's finding");
  assert.match((await lab.infos("t")).join(), /somebody has emptied the report on EventSource services/);
  await lab.reports("services", "c1", [service("a")]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  const source = { ...gvkOf("EventSource"), namespace: "", name: "services" };
  const messagingMatchCriteria = [{ subject: "a" }];
  await lab.fleet.until(lab.fleet.hub.patch(source, { type: "merge", patch: { spec: { messagingMatchCriteria } } }));
  await lab.pass();
  assert.deepEqual(await lab.names(), names);
  assert.match((await lab.infos("t")).join(), /^c1 Failed EventSource services: not built into Sluice/);
});

const set = (maxReplicas: number) => `
apiVersion: lib.projectsveltos.io/v1beta1
kind: ClusterSet
metadata: {name: chosen}
spec: {clusterSelector: {matchLabels: {env: fv}}, maxReplicas: ${maxReplicas}}
`;

test("clusters of a ClusterSet match, and no longer when the set gives them up", async (t) => {
  const lab = await Lab.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => lab.fleet.close());
  await lab.run(({ hub, fleet }, signal) => keepSets(hub, fleet, signal));
  const spec = "oneForEvent: true\nclusterSetRefs: [chosen]";
  await lab.apply(all(eventSource, content(text), trigger("t", spec).replace("{env: fv}", "{env: none}")));
  await lab.reports("services", "c1", [service("a")]);
  await lab.reports("services", "c2", [service("b")]);
  assert.equal((await lab.status("t")).failureMessage, "ClusterSet chosen does not exist");
  await lab.apply(set(2));
  assert.deepEqual(await lab.texts(), ["a: a", "b: b"]);
  assert.equal((await lab.status("t")).failureMessage, undefined);
  // A set does without a cluster that is down, and takes it back: what is there stays all the while.
  const names = await lab.names();
  lab.fleet.unreachable.add("c1");
  await lab.fleet.advance(240_000);
  const ref = { ...gvkOf("ClusterSet"), namespace: "", name: "chosen" };
  assert.deepEqual(
    selectedBy(await lab.fleet.get(ref)).map(({ name }) => name),
    ["c2"],
  );
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioning the cluster cannot be reached", "c2 Provisioned"]);
  lab.fleet.unreachable.clear();
  await lab.fleet.advance(240_000);
  assert.deepEqual(await lab.names(), names);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned", "c2 Provisioned"]);
  await lab.apply(set(1));
  assert.deepEqual(await lab.texts(), ["b: b"]);
});

test("a profile goes to the clusters that its trigger names, and all goes with the cluster of the event", async (t) => {
  const lab = await opened(t, { clusters: { c1: { env: "fv" }, c2: { dep: "eng" } } });
  await lab.apply(
    all(eventSource, content(text), trigger("t", "oneForEvent: true\ndestinationClusterSelector: {matchLabels: {dep: eng}}")),
  );
  await lab.reports("services", "c1", [service("a")]);
  const [profile] = await lab.profiles();
  assert.deepEqual(valueAt(profile, "spec.clusterSelector"), { matchLabels: { dep: "eng" } });
  assert.equal(profile?.metadata.labels?.["eventtrigger.lib.projectsveltos.io/clustername"], "c1");
  assert.equal(profile.metadata.labels["projectsveltos.io/cluster-name"], undefined);
  await lab.delete({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" });
  assert.deepEqual(await lab.names(), []);
});

test("what cannot be written is told of, and tried again", async (t) => {
  const lab = await Lab.open();
  t.after(() => lab.fleet.close());
  let refusals = 1;
  const create: Cluster["create"] = (object, options) =>
    object.kind === "ClusterProfile" && refusals-- > 0
      ? Promise.reject(new Fault("create ClusterProfile: no room"))
      : lab.fleet.hub.create(object, options);
  await lab.fleet.run((desk, signal) => keepTriggers({ ...desk, hub: { ...desk.hub, create } }, signal));
  await lab.fleet.apply(all(eventSource, content(text), trigger()));
  await lab.fleet.until(lab.fleet.hub.create(lab.report("services", "c1", [service("a")])));
  await lab.fleet.advance(100);
  assert.deepEqual(await lab.infos("t"), ["c1 Failed create ClusterProfile: no room"]);
  await lab.pass();
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioning"]);
});

test("a status stays small, however many clusters fail", () => {
  const object = { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "EventTrigger", metadata: { name: "t", generation: 1 } };
  const troubles = Array.from({ length: 100 }, (_, index) => ({ reason: "TemplateFailed", message: `${index} ${"x".repeat(300)}` }));
  const clusters = Array.from({ length: 300 }, (_, index) => ({ type: "Sveltos", namespace: "mgmt", name: `c${index}` }) as const);
  const entries = new Map(
    clusters.map((cluster) => [
      clusterKey(cluster),
      { cluster, matching: true, work: { state: "Provisioned", hash: "AA==", troubles } } as const,
    ]),
  );
  const { patch } = statusOf(object, { objection: undefined, entries, fateOf: () => ({ troubles: [], isBusy: false }) });
  assert.equal(listAt(patch, "clusterInfo").length, 300);
  assert.ok(JSON.stringify(patch).length < 400_000);
});

const writes = ["create", "replace", "patch", "delete"] as const;

/** A cluster whose writes stop after so many: the last one is made, and its answer is lost. */
function failing(hub: Cluster, writesLeft: number, die: () => void): Cluster {
  let left = writesLeft;
  const guarded = Object.fromEntries(
    writes.map((verb) => [
      verb,
      async (...args: unknown[]): Promise<unknown> => {
        if (left-- <= 0) throw new Error("killed");
        const answer: unknown = await Reflect.apply(hub[verb], hub, args);
        if (left > 0) return answer;
        die();
        throw new Error("killed");
      },
    ]),
  );
  return { ...hub, ...guarded };
}

/** Keeps triggers until so many writes have been made, then dies; whether it did within a while. */
async function runAndDie(lab: Lab, count: number): Promise<boolean> {
  const stop = new AbortController();
  const signal = AbortSignal.any([lab.fleet.signal, stop.signal]);
  const { desk } = lab.fleet;
  let died = false;
  const hub = failing(desk.hub, count, () => {
    died = true;
    stop.abort(new Error("killed"));
  });
  const copy: Desk = { ...desk, hub, copies: new Copies(desk.hub, signal) };
  const work = keepTriggers(copy, signal).catch(() => undefined);
  await lab.pass();
  stop.abort(new Error("killed"));
  await lab.fleet.until(work);
  return died;
}

/** As the profiles' controller does when all that was deployed is withdrawn. */
async function release(lab: Lab): Promise<void> {
  for (const profile of await lab.profiles()) {
    if (profile.metadata.deletionTimestamp === undefined) continue;
    const ref = { ...gvkOf("ClusterProfile"), namespace: "", name: profile.metadata.name };
    await lab.fleet.until(lab.fleet.hub.patch(ref, { type: "merge", patch: { metadata: { finalizers: [] } } }));
  }
}

test("killed after any write and started again, it makes nothing twice and loses no name", async (t) => {
  const lab = await Lab.open();
  t.after(() => lab.fleet.close());
  await lab.fleet.run();
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a"), service("b")]);
  const seen = new Set<string>();
  for (let died = true; died;) {
    died = await runAndDie(lab, 1);
    for (const name of await lab.names()) seen.add(name);
  }
  assert.equal(seen.size, 4, "every name that was ever given is still there");
  assert.deepEqual(await lab.texts(), ["a: a", "b: b"]);
  // One is gone and one is new: the profile goes before what it refers to.
  await lab.reports("services", "c1", [service("b"), service("c")]);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  await release(lab);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  assert.deepEqual(await lab.texts(), ["b: b", "c: c"]);
  assert.equal((await lab.names()).length, 4);
  // The trigger stays until nothing is left of what it made.
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  await lab.delete(ref);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  assert.notEqual(await lab.fleet.get(ref), undefined);
  await release(lab);
  for (let died = true; died;) died = await runAndDie(lab, 1);
  assert.deepEqual(await lab.names(), []);
  assert.equal(await lab.fleet.get(ref), undefined);
});
