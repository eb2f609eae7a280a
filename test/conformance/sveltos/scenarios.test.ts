/** A sample whose record was written by hand, and scenarios that are only described, whose described results must occur. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { fieldsAt, listAt, mapAt, stringAt, type KubeObject } from "../../../src/core/object/index.ts";
import { startControllers } from "./start-controllers.ts";
import { compareFolder } from "./compare-folder.ts";
import { StepComparer } from "./step-comparison.ts";
import { runRecordedScenario, type ScenarioStepResult } from "./run-recorded-scenario.ts";
import { comparisonReport } from "./comparison-report.ts";
import { intendedDifferences } from "./intended-differences.ts";
import { scenariosIn, type FleetState } from "./recorded-scenario.ts";
import { readScenarioClusters } from "./scenario-clusters.ts";
import { RecordScope } from "./snapshot.ts";

const folder = join(import.meta.dirname, "described");
const scenarios = scenariosIn(folder);
const kinds = ["ConfigMap", "Endpoints", "Namespace", "Service"].map((kind): [string, KubeObject] => [
  kind,
  { apiVersion: "v1", kind, metadata: { name: "x" } },
]);
/** There is no recording that would define the scope. */
const scope = new RecordScope([{ name: "", folder, steps: [{ number: 1, inputs: [], after: { c1: kinds.map(([, object]) => object) } }] }]);

async function statesOf(name: string): Promise<readonly FleetState[]> {
  const scenario = scenarios.find((each) => each.name === name);
  assert.ok(scenario, `there is a scenario ${name}`);
  const states: FleetState[] = [];
  for await (const { state, answers } of runRecordedScenario(scenario, {
    clusters: readScenarioClusters(name, folder),
    scope,
    startControllers,
  })) {
    assert.deepEqual(answers, []);
    states.push(state);
  }
  return states;
}

/** `Service default/web` of everything in a cluster that users have not applied. */
function madeIn(state: FleetState | undefined, cluster: string): readonly string[] {
  const made = (state?.[cluster] ?? []).filter(
    ({ metadata }) => metadata.annotations?.["kubectl.kubernetes.io/last-applied-configuration"] === undefined,
  );
  return made.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`.replace(" /", " ")).toSorted();
}

function find(state: FleetState | undefined, cluster: string, kind: string, name?: string): KubeObject | undefined {
  return (state?.[cluster] ?? []).find((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
}

function hashOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.["projectsveltos.io/hash"];
}

test("03: one Ingress over all Services keeps its names and follows them", async () => {
  const [two, three, none] = await statesOf("03-ingress-over-all");
  const paths = (state: FleetState | undefined) =>
    listAt(find(state, "c1", "Ingress"), "spec.rules").flatMap((rule) => listAt(rule, "http.paths").map(({ path }) => path));
  assert.deepEqual(paths(two), ["/my-service", "/my-service-2"]);
  assert.equal(hashOf(find(two, "c1", "Ingress")), "sha256:bc1e74450d20acedefca38f20cb998b7b24c12ac34e4b501d19b617568926140");
  assert.deepEqual(paths(three), ["/my-service", "/my-service-2", "/third-service"]);
  assert.equal(find(three, "management", "ClusterProfile")?.metadata.name, find(two, "management", "ClusterProfile")?.metadata.name);
  assert.deepEqual(madeIn(none, "c1"), ["EventReport projectsveltos/https-service", "EventSource https-service"]);
  assert.deepEqual(madeIn(none, "management"), ["EventReport mgmt/sveltos--https-service--c1"]);
});

test("05: an event in one cluster deploys to another, and the source's end withdraws it there", async () => {
  const [before, made, changed, after] = await statesOf("05-cross-cluster");
  assert.deepEqual(madeIn(before, "c2"), []);
  assert.deepEqual(madeIn(made, "c2"), ["Endpoints external/external-web", "Namespace external", "Service external/external-web"]);
  const profile = find(made, "management", "ClusterProfile");
  assert.deepEqual(fieldsAt(profile, "spec.clusterSelector"), { matchLabels: { dep: "eng" } });
  assert.deepEqual(listAt(profile, "spec.clusterRefs"), []);
  const { "eventtrigger.lib.projectsveltos.io/clustername": source } = mapAt(profile?.metadata, "labels");
  const { "projectsveltos.io/cluster-name": destination } = mapAt(find(made, "management", "ClusterSummary")?.metadata, "labels");
  assert.deepEqual([source, destination], ["c1", "c2"]);
  const address = (state: FleetState | undefined) =>
    stringAt(listAt(listAt(find(state, "c2", "Endpoints"), "subsets")[0], "addresses")[0], "ip");
  assert.deepEqual([address(made), address(changed)], ["192.0.2.10", "192.0.2.11"]);
  assert.deepEqual(madeIn(after, "c2"), ["Namespace external"]);
  assert.deepEqual(mapAt(find(after, "c2", "Namespace", "external")?.metadata, "labels"), { "kubernetes.io/metadata.name": "external" });
});

function owners(state: FleetState): readonly string[] {
  const objects = state["c1"] ?? [];
  const owner = "projectsveltos.io/owner-name";
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.name} of ${metadata.annotations?.[owner]}`).toSorted();
}

function features(state: FleetState): readonly string[] {
  const summaries = (state["management"] ?? []).filter(({ kind }) => kind === "ClusterSummary");
  return summaries.map((summary) => `${summary.metadata.name} ${stringAt(listAt(summary, "status.featureSummaries")[0], "status")}`);
}

test("10: the lower tier has an object; who loses it keeps the others, and gets it back", async () => {
  const states = await statesOf("10-conflict");
  assert.deepEqual(states.map(owners), [
    ["ConfigMap only-one of one", "ConfigMap shared of one"],
    ["ConfigMap only-one of one", "ConfigMap shared of one"],
    ["ConfigMap only-one of one", "ConfigMap only-two of two", "ConfigMap shared of one"],
    ["ConfigMap only-one of one", "ConfigMap only-two of two", "ConfigMap shared of two"],
    ["ConfigMap only-one of one", "ConfigMap shared of one"],
  ]);
  assert.deepEqual(states.map(features), [
    ["one-sveltos-c1 Provisioned"],
    ["one-sveltos-c1 Provisioned", "two-sveltos-c1 Failed"],
    ["one-sveltos-c1 Provisioned", "two-sveltos-c1 Failed"],
    ["one-sveltos-c1 Failed", "two-sveltos-c1 Provisioned"],
    ["one-sveltos-c1 Provisioned"],
  ]);
});

test("13: what is left behind is stripped, and taken up again in place", async () => {
  const [first, left, again, edited, end] = await statesOf("13-leave-policies");
  const policy = (state: FleetState | undefined) => find(state, "c1", "NetworkPolicy", "front-my-service");
  const labels = (state: FleetState | undefined) => Object.keys(mapAt(policy(state)?.metadata, "labels")).toSorted();
  const reasonAlone = ["projectsveltos.io/reason"];
  assert.equal(labels(first).length, 4);
  assert.deepEqual(labels(left), reasonAlone);
  assert.equal(hashOf(policy(left)), hashOf(policy(first)));
  assert.equal(find(left, "management", "ClusterProfile"), undefined);
  assert.equal(labels(again).length, 4);
  assert.notEqual(find(again, "management", "ClusterProfile")?.metadata.name, find(first, "management", "ClusterProfile")?.metadata.name);
  assert.notEqual(hashOf(policy(edited)), hashOf(policy(again)));
  assert.equal(find(edited, "management", "ClusterProfile")?.metadata.name, find(again, "management", "ClusterProfile")?.metadata.name);
  assert.deepEqual(labels(end), reasonAlone);
  assert.deepEqual(madeIn(end, "management"), []);
  assert.deepEqual(madeIn(end, "c1"), ["NetworkPolicy default/front-my-service"]);
});

/** A recorded value and a wrong one: no rule may cover the difference. */
const wrongs: Readonly<Record<string, (object: KubeObject) => KubeObject | undefined>> = {
  "c1 ConfigMap greetings/hello: is not in the record": (object) => (object.metadata.name === "hello" ? undefined : object),
  'c1 ConfigMap greetings/hello: metadata.annotations.projectsveltos.io/hash: recorded "sha256:0", got': (object) =>
    object.metadata.name === "hello" ? annotated(object, { "projectsveltos.io/hash": "sha256:0" }) : object,
  'c1 ConfigMap greetings/hello: metadata.ownerReferences: recorded [{"apiVersion":"x","kind":"ClusterProfile","name":"other"': (object) =>
    object.metadata.name === "hello" ? { ...object, metadata: { ...object.metadata, ownerReferences: [other] } } : object,
  'management ClusterSummary mgmt/demo-sveltos-c1: spec.clusterName: recorded "c2", got "c1"': (object) =>
    object.kind === "ClusterSummary" ? { ...object, spec: { ...fieldsAt(object, "spec"), clusterName: "c2" } } : object,
  "management ClusterConfiguration mgmt/sveltos--c1: status.clusterProfileResources[demo].Features[Resources].resources[ConfigMap/greetings/hello]":
    (object) => (object.kind === "ClusterConfiguration" ? withoutResources(object) : object),
};
const other = { apiVersion: "x", kind: "ClusterProfile", name: "other", uid: "UID1" };

function annotated(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } } };
}

function withoutResources(object: KubeObject): KubeObject {
  const clusterProfileResources = [{ clusterProfileName: "demo", Features: [{ featureID: "Resources", resources: [] }] }];
  return { ...object, status: { clusterProfileResources } };
}

const sample = join(import.meta.dirname, "sample");

test("intended differences are counted, and wrong values are reported in spite of all rules", async () => {
  const [scenario] = scenariosIn(sample);
  assert.ok(scenario);
  const comparer = new StepComparer(intendedDifferences);
  const comparisons = [];
  for await (const result of runRecordedScenario(scenario, {
    clusters: readScenarioClusters(scenario.name, sample),
    scope: new RecordScope([scenario]),
    startControllers,
  })) {
    comparisons.push(comparer.compare(scenario.name, result));
    if (result.step.number === 1) for (const [line, change] of Object.entries(wrongs)) assertReported(line, change, result);
  }
  const { lines, agree } = comparisonReport(comparisons);
  assert.equal(lines[0], "Differences on purpose:");
  assert.equal(lines.at(-1), "2 of 2 steps agree");
  assert.ok(lines.some((line) => /^ +1  ownerReferences of deployed objects/.test(line)));
  assert.ok(agree);
});

function assertReported(line: string, change: (object: KubeObject) => KubeObject | undefined, result: ScenarioStepResult): void {
  const after = Object.fromEntries(
    Object.entries(result.step.after ?? {}).map(([cluster, objects]) => [cluster, objects.flatMap((object) => change(object) ?? [])]),
  );
  const { lines, agree } = comparisonReport([
    new StepComparer(intendedDifferences).compare("sample", { ...result, step: { ...result.step, after } }),
  ]);
  assert.ok(
    lines.some((each) => each.trim().startsWith(line)),
    `${line}\n${lines.join("\n")}`,
  );
  assert.deepEqual([agree, lines.at(-1)], [false, "0 of 1 steps agree"]);
}

test("a scenario that cannot run agrees in no step", async () => {
  const comparisons = await compareFolder(sample, () => Promise.reject(new Error("no controllers")));
  const { lines, agree } = comparisonReport(comparisons);
  assert.deepEqual([agree, lines.at(-1)], [false, "0 of 2 steps agree"]);
  assert.ok(lines.some((line) => line.includes("no controllers")));
});
