import assert from "node:assert/strict";
import test from "node:test";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import {
  clusterFrom,
  collectedMatch,
  sourceCluster,
  templateConfigMap,
  testEnvironment,
  triggerOf,
} from "../../../test/support/instantiate/fake-hub.ts";
import { InstantiationCache, EventTemplates, instantiate, type InstantiateInput } from "./index.ts";

const trigger = triggerOf("oneForEvent: true\npolicyRefs: [{kind: ConfigMap, namespace: default, name: a}]");
const content = templateConfigMap("a", "{{ .Resource.metadata.name }} {{ .Cluster.metadata.name }} {{ randAlpha 1 }}");
const renamed = clusterFrom(
  "{apiVersion: lib.projectsveltos.io/v1beta1, kind: SveltosCluster, metadata: {name: c1, namespace: mgmt, labels: {a: b}}}",
);

function service(name: string, port = 80): KubeObject {
  return { apiVersion: "v1", kind: "Service", metadata: { name, namespace: "a" }, spec: { ports: [{ port }] } };
}

function inputWith(objects: readonly KubeObject[], existing: readonly KubeObject[], found: KubeObject = content): InstantiateInput {
  const report = { eventSource: "es", matches: objects.map(collectedMatch) };
  return { trigger, cluster: sourceCluster, report, existing, find: () => found };
}

/** Counts reads of randomness: one for each text that is rendered. */
function counting() {
  const counted = { draws: 0 };
  const randomBytes = (count: number) => {
    counted.draws++;
    return new Uint8Array(count).fill(counted.draws);
  };
  const templates = new EventTemplates({ now: () => 0, randomBytes });
  let isNondeterministic = 0;
  const random = () => (isNondeterministic = (isNondeterministic + 0.37) % 1);
  return { counted, environment: { templates, random, cache: new InstantiationCache() } };
}

for (const [what, change, rendered] of [
  ["nothing", (input: InstantiateInput) => input, 0],
  ["one object", (input: InstantiateInput) => ({ ...input, ...pick(inputWith([service("x"), service("y", 81)], [])) }), 1],
  ["one object more", (input: InstantiateInput) => ({ ...input, ...pick(inputWith([service("x"), service("y"), service("z")], [])) }), 1],
  ["the order of the report", (input: InstantiateInput) => ({ ...input, ...pick(inputWith([service("y"), service("x")], [])) }), 0],
  ["the cluster", (input: InstantiateInput) => ({ ...input, cluster: renamed }), 2],
  ["the trigger", (input: InstantiateInput) => ({ ...input, trigger: { ...trigger, tier: 7 } }), 2],
  [
    "the status of the trigger",
    (input: InstantiateInput) => ({ ...input, trigger: { ...trigger, metadata: { ...trigger.metadata, resourceVersion: "7" } } }),
    0,
  ],
  ["the template", (input: InstantiateInput) => ({ ...input, find: () => templateConfigMap("a", "{{ randAlpha 1 }}") }), 2],
  ["a deleted profile", (input: InstantiateInput) => ({ ...input, existing: input.existing.slice(0, -1) }), 1],
] as const)
  test(`renders ${rendered} of 2 again after a change of ${what}`, () => {
    const { counted, environment } = counting();
    const first = instantiate(inputWith([service("x"), service("y")], []), environment);
    const existing = first.changes.flatMap((change) => (change.verb === "create" ? [change.object] : []));
    // Objects come with each report anew: equal, and not the same ones.
    const input = inputWith([service("x"), service("y")], existing);
    instantiate(input, environment);
    counted.draws = 0;
    const { problems } = instantiate(change(input), environment);
    assert.deepEqual(problems, []);
    assert.equal(counted.draws, rendered);
  });

test("a pass looks only at events that have changed, and at those that had something to do", () => {
  const environment = { ...testEnvironment(), cache: new InstantiationCache() };
  const named = templateConfigMap("a", "{{ .Resource.metadata.name }}");
  let lookUps = 0;
  const find = () => {
    lookUps++;
    return named;
  };
  const services = Array.from({ length: 50 }, (_, index) => service(`s${index}`));
  let existing: readonly KubeObject[] = [];
  const pass = (objects: readonly KubeObject[]) => {
    lookUps = 0;
    const { changes } = instantiate({ ...inputWith(objects, existing), find }, environment);
    const gone = new Set(changes.flatMap((change) => (change.verb === "delete" ? [change.ref.name] : [])));
    const made = changes.flatMap((change) => (change.verb === "delete" ? [] : [change.object]));
    existing = [...existing.filter(({ metadata }) => !gone.has(metadata.name)), ...made];
    return [changes.length, lookUps];
  };
  assert.deepEqual(pass(services), [100, 51]);
  assert.deepEqual(pass(services), [0, 51], "what was written is looked at once more");
  assert.deepEqual(pass(services), [0, 1]);
  assert.deepEqual(pass([...services, service("more")]), [2, 2]);
  assert.deepEqual(pass([...services, service("more")]), [0, 2]);
  assert.deepEqual(pass(services), [1, 1], "the profile goes first");
  assert.deepEqual(pass(services), [1, 1], "and then its content");
  assert.deepEqual(pass(services), [0, 1]);
});

test("entries that a pass did not use are dropped", () => {
  const { counted, environment } = counting();
  instantiate(inputWith([service("x")], []), environment);
  instantiate(inputWith([service("y")], []), environment);
  const [change] = instantiate(inputWith([service("x")], []), environment).changes;
  assert.equal(counted.draws, 3);
  assert.equal(change?.verb === "create" && refOf(change.object).kind, "ConfigMap");
});

function pick({ report }: InstantiateInput): Pick<InstantiateInput, "report"> {
  return { report };
}
