import { equal } from "../../core/object/index.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { excluding } from "./field-set-filter.ts";
import { fieldSetAt, fieldSetText, workloadType } from "../../../test/support/embedded/workload-type.ts";
import type { ManagedFields, UpdaterRules } from "./versioned-set.ts";
import { elementPathText } from "./path-element.ts";
import { deducedType, type MergeType } from "./merge-type.ts";
import { updaterApply, updaterUpdate } from "./updater.ts";

const sameEverywhere: UpdaterRules = { convert: (object) => object };

/** An object and its managers, changed step by step. */
class ManagedObject {
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
  const object = new ManagedObject();
  object.apply("a", { data: { x: "1" } });
  assert.equal(object.apply("b", { data: { x: "1", y: "1" } }), "");
  assert.equal(object.owners(), "a: .data.x; b: .data.x .data.y");
  assert.equal(object.apply("b", { data: { x: "2" } }), "a: .data.x");
  assert.deepEqual(object.value, { data: { x: "1", y: "1" } });
});

test("force takes fields over", () => {
  const object = new ManagedObject();
  object.apply("a", { data: { x: "1", z: "1" } });
  assert.equal(object.apply("b", { data: { x: "2" } }, { force: true }), "");
  assert.equal(object.owners(), "a: .data.z; b: .data.x");
  assert.deepEqual(object.value, { data: { x: "2", z: "1" } });
});

test("fields that an applier no longer applies are pruned, unless another manager owns them", () => {
  const object = new ManagedObject();
  object.apply("a", { data: { x: "1", y: "1" }, spec: { containers: [{ name: "c", image: "i" }, { name: "d" }] } });
  object.apply("b", { data: { y: "1" }, spec: { containers: [{ name: "d" }] } });
  object.apply("a", { data: { z: "1" } });
  assert.deepEqual(object.value, { data: { y: "1", z: "1" }, spec: { containers: [{ name: "d" }] } });
});

test("fields that a writer added to an applier's item stay when the applier applies again", () => {
  const object = new ManagedObject();
  object.apply("a", { spec: { containers: [{ name: "c", image: "i" }] } });
  object.update("w", { spec: { containers: [{ name: "c", image: "i", env: { e: "1" } }] } });
  assert.equal(
    object.owners(),
    [
      'a: .spec.containers[name="c"] .spec.containers[name="c"].image .spec.containers[name="c"].name',
      'w: .spec.containers[name="c"].env .spec.containers[name="c"].env.e',
    ].join("; "),
  );
  object.apply("a", { spec: { containers: [{ name: "c" }] } });
  assert.deepEqual(object.value, { spec: { containers: [{ name: "c", env: { e: "1" } }] } });
});

test("a writer owns the fields it changes, and removed fields have no owner", () => {
  const object = new ManagedObject();
  object.apply("a", { data: { x: "1", y: "1" } });
  object.update("w", { data: { x: "2" } });
  assert.equal(object.owners(), "w: .data.x");
  assert.equal(object.apply("a", { data: { x: "3" } }), "w: .data.x");
});

test("reset fields have no owner, and no conflict", () => {
  const object = new ManagedObject(workloadType, { ...sameEverywhere, filters: { v1: excluding(fieldSetAt("status")) } });
  object.update("w", { data: { x: "1" }, status: { phase: "A" } });
  assert.equal(object.owners(), "w: .data .data.x");
  assert.equal(object.apply("a", { status: { phase: "B" } }), "");
  assert.equal(object.owners(), "w: .data .data.x");
});

test("managers of a version that is gone are forgotten", () => {
  let served = ["v1", "v2"];
  const rules: UpdaterRules = { convert: (object, version) => (served.includes(version) ? object : undefined) };
  const object = new ManagedObject(deducedType, rules);
  object.update("one", { a: 0 }, "v1");
  object.update("two", { a: 0, b: 0 }, "v2");
  served = ["v2", "v3"];
  object.update("three", { a: 0, b: 0, c: 0 }, "v3");
  assert.equal(object.owners(), "two: .b; three: .c");
});

test("what was applied in a version that is gone is not pruned", () => {
  let served = "v1";
  const object = new ManagedObject(workloadType, { convert: (object, version) => (version === served ? object : undefined) });
  object.apply("a", { spec: { tags: ["a", "b"] } });
  served = "v2";
  object.apply("a", { spec: { tags: ["a"] } }, { version: "v2" });
  assert.deepEqual(object.value, { spec: { tags: ["a", "b"] } });
  assert.equal(object.owners(), 'a: .spec.tags[="a"]');
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
      const object = new ManagedObject();
      for (const [verb, manager, value] of before) {
        if (verb === "apply") object.apply(manager, value, { force: true });
        else object.update(`${manager} writes`, value);
      }
      assert.equal(object.apply("me", last, { force: true }), "");
      const { value } = object;
      const owners = object.owners();
      assert.equal(object.apply("me", last), "");
      assert.ok(equal(object.value, value));
      assert.equal(object.owners(), owners);
    }),
  );
});

test("an applier has what it applied", () => {
  fc.assert(
    fc.property(steps, config, (before, last) => {
      const object = new ManagedObject();
      for (const [, manager, value] of before) object.apply(manager, value, { force: true });
      object.apply("me", last, { force: true });
      const applied = { value: last, type: workloadType };
      const again = updaterApply({ value: object.value, type: workloadType }, applied, "v1", new Map(), "new", {
        ...sameEverywhere,
        force: false,
      });
      assert.ok(again.conflicts === undefined && again.object === undefined);
    }),
  );
});
