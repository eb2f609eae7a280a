import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { triggerLabels } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { InstantiationCache } from "./index.ts";
import {
  FakeHub,
  serviceMatches,
  sourceCluster,
  templateConfigMap,
  triggerOf,
  verbsOf,
} from "../../../test/support/instantiate/fake-hub.ts";

const templates = [
  templateConfigMap("plain", "x", {}),
  templateConfigMap("all", "{{ range .MatchingResources }}{{ .Name }} {{ end }}{{ .Cluster.metadata.name }}"),
  templateConfigMap("one", "{{ .MatchingResource.Name }} {{ randAlphaNum 5 }}"),
  templateConfigMap("broken", "{{ .Nothing }}"),
];

const matches = fc.uniqueArray(fc.constantFrom("a/x", "a/y", "b/x", "b/long", "/node"), { maxLength: 5 });
const names = fc.uniqueArray(fc.constantFrom("plain", "all", "one", "broken", "missing"), { maxLength: 3 });
const trigger = fc
  .record({ oneForEvent: fc.boolean(), names, generator: fc.boolean(), tier: fc.integer({ min: 1, max: 2 }) })
  .map((choice) =>
    triggerOf(`
oneForEvent: ${choice.oneForEvent}
tier: ${choice.tier}
policyRefs: [${choice.names.map((name) => `{kind: ConfigMap, namespace: default, name: ${name}}`).join(", ")}]
configMapGenerator: [${choice.generator ? "{name: plain, namespace: default, nameFormat: made}" : ""}]`),
  );
const step = fc.record({ trigger, matches });

function runAll(steps: readonly { readonly trigger: ReturnType<typeof triggerOf>; readonly matches: readonly string[] }[]): FakeHub {
  const hub = new FakeHub(templates);
  for (const { trigger: one, matches: found } of steps) hub.run(one, serviceMatches(found.join(" ")));
  return hub;
}

test("the order of the input makes no difference", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2 }), step, fc.infiniteStream(fc.nat()), (before, { trigger: one, matches: found }, keys) => {
      const shuffled = <T>(items: readonly T[]) =>
        items
          .map((item) => ({ item, key: keys.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const [straight, mixed] = [runAll(before), runAll(before)];
      mixed.objects = shuffled(mixed.objects);
      const planned = straight.plan(one, serviceMatches(found.join(" ")));
      const again = mixed.plan(one, serviceMatches(shuffled(found).join(" ")));
      const sorted = (changes: typeof planned.changes) => changes.map((change) => JSON.stringify(change)).toSorted();
      assert.deepEqual(sorted(planned.changes), sorted(again.changes));
      assert.deepEqual(planned.problems, again.problems);
    }),
  );
});

test("after the changes are applied there is nothing to do, except for what waited for a profile", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      const hub = runAll(steps);
      const last = steps.at(-1);
      assert.ok(last !== undefined);
      const found = serviceMatches(last.matches.join(" "));
      const next = hub.run(last.trigger, found);
      assert.ok(
        next.changes.every(({ verb }) => verb === "delete"),
        verbsOf(next),
      );
      const settled = hub.plan(last.trigger, found);
      assert.deepEqual([settled.changes, settled.waiting], [[], []]);
      assert.deepEqual(settled.profiles, profileNames(hub));
    }),
  );
});

test("the cache does not change results", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const [plain, remembering] = [new FakeHub(templates), new FakeHub(templates, new InstantiationCache())];
      for (const { trigger: one, matches: found } of steps) {
        const [forgotten, recalled] = [
          plain.run(one, serviceMatches(found.join(" "))),
          remembering.run(one, serviceMatches(found.join(" "))),
        ];
        assert.deepEqual(withoutChance(recalled), withoutChance(forgotten));
      }
    }),
  );
});

test("a failed occurrence loses no object, and objects of others are never changed", () => {
  const labels = triggerLabels("somebody-else", sourceCluster);
  const theirs: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "theirs", namespace: "projectsveltos", labels },
    data: {},
  };
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), step, (before, { trigger: one, matches: found }) => {
      const hub = runAll(before);
      hub.objects = [...hub.objects, theirs];
      const kept = new Set(hub.profiles.map(({ metadata }) => metadata.name));
      const planned = hub.plan(one, serviceMatches(found.join(" ")));
      const gone = planned.changes.flatMap((change) => (change.verb === "delete" ? [change.ref.name] : []));
      assert.ok(![...templates, theirs].some(({ metadata }) => gone.includes(metadata.name)));
      if (!one.oneForEvent && planned.problems.length > 0) assert.deepEqual(planned.changes, []);
      for (const name of planned.profiles) assert.ok(!kept.has(name) || !gone.includes(name));
    }),
  );
});

/** Names and passwords are drawn in another order. */
function withoutChance(planned: ReturnType<FakeHub["plan"]>): readonly string[] {
  const { changes, problems, references, waiting, profiles } = planned;
  return [
    verbsOf({ changes }),
    JSON.stringify([problems, waiting.length, profiles.length]),
    ...references.map((one) => JSON.stringify(one)).toSorted(),
  ];
}

function profileNames(hub: FakeHub): readonly string[] {
  return hub.profiles.map(({ metadata }) => metadata.name).toSorted();
}
