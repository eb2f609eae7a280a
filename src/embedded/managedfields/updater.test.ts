import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { excluding } from "./field-set-filter.ts";
import { fieldSetAt, fieldSetText, workloadType } from "../../../test/support/embedded/workload-type.ts";
import type { ManagedFields, UpdaterRules } from "./versioned-set.ts";
import { elementPathText } from "./path-element.ts";
import { deducedType, type MergeType } from "./merge-type.ts";
import { updaterApply, updaterUpdate } from "./updater.ts";
import { sameValue } from "./value.ts";

const sameEverywhere: UpdaterRules = { convert: (object) => object };

/** An object and its managers, changed step by step. */
class Story {
  value: unknown = null;
  managers: ManagedFields = new Map();
  readonly #type: MergeType;
  readonly #rules: UpdaterRules;

  constructor(type: MergeType = workloadType, rules: UpdaterRules = sameEverywhere) {
    this.#type = type;
    this.#rules = rules;
  }

  /** Applies; answers with the conflicts, as `manager: path`. */
  apply(manager: string, value: unknown, { force = false, version = "v1" } = {}): string {
    const live = { value: this.value, type: this.#type };
    const result = updaterApply(live, { value, type: this.#type }, version, this.managers, manager, { ...this.#rules, force });
    if (result.conflicts !== undefined) return result.conflicts.map((each) => `${each.manager}: ${elementPathText(each.path)}`).join(", ");
    if (result.object !== undefined) this.value = result.object.value;
    this.managers = result.managers;
    return "";
  }

  update(manager: string, value: unknown, version = "v1"): void {
    const next = { value, type: this.#type };
    this.managers = updaterUpdate({ value: this.value, type: this.#type }, next, version, this.managers, manager, this.#rules);
    this.value = value;
  }

  /** `a: .x .y; b: .z`. */
  owners(): string {
    return [...this.managers].map(([name, owned]) => `${name}: ${fieldSetText(owned.set)}`).join("; ");
  }
}

test("two appliers may own the same field as long as they agree", () => {
  const story = new Story();
  story.apply("a", { data: { x: "1" } });
  assert.equal(story.apply("b", { data: { x: "1", y: "1" } }), "");
  assert.equal(story.owners(), "a: .data.x; b: .data.x .data.y");
  assert.equal(story.apply("b", { data: { x: "2" } }), "a: .data.x");
  assert.deepEqual(story.value, { data: { x: "1", y: "1" } });
});

test("force takes fields over", () => {
  const story = new Story();
  story.apply("a", { data: { x: "1", z: "1" } });
  assert.equal(story.apply("b", { data: { x: "2" } }, { force: true }), "");
  assert.equal(story.owners(), "a: .data.z; b: .data.x");
  assert.deepEqual(story.value, { data: { x: "2", z: "1" } });
});

test("what an applier no longer applies goes, unless somebody else has it", () => {
  const story = new Story();
  story.apply("a", { data: { x: "1", y: "1" }, spec: { containers: [{ name: "c", image: "i" }, { name: "d" }] } });
  story.apply("b", { data: { y: "1" }, spec: { containers: [{ name: "d" }] } });
  story.apply("a", { data: { z: "1" } });
  assert.deepEqual(story.value, { data: { y: "1", z: "1" }, spec: { containers: [{ name: "d" }] } });
});

test("what a writer put into an applier's item stays when the applier goes on", () => {
  const story = new Story();
  story.apply("a", { spec: { containers: [{ name: "c", image: "i" }] } });
  story.update("w", { spec: { containers: [{ name: "c", image: "i", env: { e: "1" } }] } });
  assert.equal(
    story.owners(),
    [
      'a: .spec.containers[name="c"] .spec.containers[name="c"].image .spec.containers[name="c"].name',
      'w: .spec.containers[name="c"].env .spec.containers[name="c"].env.e',
    ].join("; "),
  );
  story.apply("a", { spec: { containers: [{ name: "c" }] } });
  assert.deepEqual(story.value, { spec: { containers: [{ name: "c", env: { e: "1" } }] } });
});

test("a writer takes what it changes and nobody keeps what is gone", () => {
  const story = new Story();
  story.apply("a", { data: { x: "1", y: "1" } });
  story.update("w", { data: { x: "2" } });
  assert.equal(story.owners(), "w: .data.x");
  assert.equal(story.apply("a", { data: { x: "3" } }), "w: .data.x");
});

test("fields that are reset are nobody's, and no conflict", () => {
  const story = new Story(workloadType, { ...sameEverywhere, filters: { v1: excluding(fieldSetAt("status")) } });
  story.update("w", { data: { x: "1" }, status: { phase: "A" } });
  assert.equal(story.owners(), "w: .data .data.x");
  assert.equal(story.apply("a", { status: { phase: "B" } }), "");
  assert.equal(story.owners(), "w: .data .data.x");
});

test("managers of a version that is gone are forgotten", () => {
  let served = ["v1", "v2"];
  const rules: UpdaterRules = { convert: (object, version) => (served.includes(version) ? object : undefined) };
  const story = new Story(deducedType, rules);
  story.update("one", { a: 0 }, "v1");
  story.update("two", { a: 0, b: 0 }, "v2");
  served = ["v2", "v3"];
  story.update("three", { a: 0, b: 0, c: 0 }, "v3");
  assert.equal(story.owners(), "two: .b; three: .c");
});

test("what was applied in a version that is gone is not pruned", () => {
  let served = "v1";
  const story = new Story(workloadType, { convert: (object, version) => (version === served ? object : undefined) });
  story.apply("a", { spec: { tags: ["a", "b"] } });
  served = "v2";
  story.apply("a", { spec: { tags: ["a"] } }, { version: "v2" });
  assert.deepEqual(story.value, { spec: { tags: ["a", "b"] } });
  assert.equal(story.owners(), 'a: .spec.tags[="a"]');
});

const data = fc.dictionary(fc.constantFrom("a", "b", "constructor", "__proto__x"), fc.constantFrom("1", "2"), { maxKeys: 3 });
const container = fc.record(
  {
    name: fc.constantFrom("c", "d"),
    image: fc.constantFrom("i", "j"),
    env: data,
    ports: fc.uniqueArray(fc.record({ port: fc.constantFrom(80, 443) }), { selector: ({ port }) => port, maxLength: 2 }),
  },
  { requiredKeys: ["name"] },
);
const config = fc.record(
  {
    data,
    spec: fc.record(
      {
        replicas: fc.constantFrom(1, 2),
        selector: data,
        args: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
        tags: fc.uniqueArray(fc.constantFrom("s", "t", "u")),
        containers: fc.uniqueArray(container, { selector: ({ name }) => name, maxLength: 2 }),
        free: fc.oneof(data, fc.constantFrom("1", "2")),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const steps = fc.array(fc.tuple(fc.constantFrom("apply", "update"), fc.constantFrom("a", "b"), config), { maxLength: 5 });

test("applying the same again changes nothing, whatever happened before", () => {
  fc.assert(
    fc.property(steps, config, (before, last) => {
      const story = new Story();
      for (const [verb, manager, value] of before) {
        if (verb === "apply") story.apply(manager, value, { force: true });
        else story.update(`${manager} writes`, value);
      }
      assert.equal(story.apply("me", last, { force: true }), "");
      const { value } = story;
      const owners = story.owners();
      assert.equal(story.apply("me", last), "");
      assert.ok(sameValue(story.value, value));
      assert.equal(story.owners(), owners);
    }),
  );
});

test("an applier has what it applied", () => {
  fc.assert(
    fc.property(steps, config, (before, last) => {
      const story = new Story();
      for (const [, manager, value] of before) story.apply(manager, value, { force: true });
      story.apply("me", last, { force: true });
      const applied = { value: last, type: workloadType };
      const again = updaterApply({ value: story.value, type: workloadType }, applied, "v1", new Map(), "new", {
        ...sameEverywhere,
        force: false,
      });
      assert.ok(again.conflicts === undefined && again.object === undefined);
    }),
  );
});
