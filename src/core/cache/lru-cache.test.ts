import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import "../../../test/support/fixed-seed.ts";
import { LruCache, type LruCacheOptions } from "./index.ts";

/** `a` reads a key, `+a` sets it, `-a` deletes it. Returns the remaining entries, the least recently used one first. */
function after(operations: string, options: LruCacheOptions<string, string>): string {
  const cache = new LruCache<string, string>(options);
  for (const operation of operations.split(" ")) {
    if (operation.startsWith("+")) cache.set(operation.slice(1), operation.slice(1));
    else if (operation.startsWith("-")) cache.delete(operation.slice(1));
    else cache.get(operation);
  }
  return [...cache.values()].join(" ");
}

const byCount = {
  "+a": "a",
  "+a +b +c": "b c",
  "+a +b a +c": "a c",
  "+a +b +a +c": "a c",
  "+a +b b +c": "b c",
  "+a +b -a +c": "b c",
  "+a +b -b +c": "a c",
  "+a -a": "",
  "+a x +b -x": "a b",
};

for (const [operations, expected] of Object.entries(byCount)) {
  test(`two entries at most: ${operations} leaves ${expected || "nothing"}`, () =>
    assert.equal(after(operations, { maxEntries: 2 }), expected));
}

const byWeight = {
  "+aa +bb": "aa bb",
  "+aa +bb +c": "bb c",
  "+aa +bb aa +c": "aa c",
  "+a +b +c +dd": "b c dd",
  "+a +bbbbbb": "bbbbbb",
  "+bbbbbb +a": "a",
};

for (const [operations, expected] of Object.entries(byWeight)) {
  test(`four characters at most: ${operations} leaves ${expected}`, () =>
    assert.equal(after(operations, { maxWeight: 4, weightOf: (key) => key.length }), expected));
}

test("a value that is set again has its new weight", () => {
  const cache = new LruCache<string, number>({ maxWeight: 10, weightOf: (_, weight) => weight });
  cache.set("a", 9);
  cache.set("a", 1);
  cache.set("b", 8);
  assert.deepEqual([...cache.values()], [1, 8]);
  cache.set("b", 10);
  assert.deepEqual([...cache.values()], [10]);
});

test("a value is created once, and a creation that fails is not cached", () => {
  const cache = new LruCache<string, string>({ maxEntries: 2 });
  let created = 0;
  const create = (key: string) => `${key}${++created}`;
  assert.equal(cache.getOrCreate("a", create), "a1");
  assert.equal(cache.getOrCreate("a", create), "a1");
  assert.throws(() =>
    cache.getOrCreate("b", () => {
      throw new Error("no b");
    }),
  );
  assert.equal(cache.getOrCreate("b", create), "b2");
});

test("undefined is a value like any other", () => {
  const cache = new LruCache<string, string | undefined>({ maxEntries: 2 });
  let created = 0;
  const create = () => void created++;
  assert.equal(cache.getOrCreate("a", create), undefined);
  assert.equal(cache.getOrCreate("a", create), undefined);
  assert.equal(created, 1);
});

test("onEvict receives evicted entries only", () => {
  const evicted: string[] = [];
  const cache = new LruCache<string, number>({ maxEntries: 2, onEvict: (key, value) => evicted.push(`${key}${value}`) });
  cache.set("a", 1);
  cache.set("a", 2);
  cache.set("b", 3);
  cache.delete("b");
  cache.set("c", 4);
  cache.set("d", 5);
  assert.deepEqual(evicted, ["a2"]);
});

test("it behaves like a list that is searched from end to end", () => {
  const operation = fc.record({ verb: fc.constantFrom("get", "set", "delete"), key: fc.nat(7), weight: fc.integer({ min: 1, max: 5 }) });
  const bounds = fc.record({ maxEntries: fc.integer({ min: 1, max: 5 }), maxWeight: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(fc.array(operation), bounds, (operations, { maxEntries, maxWeight }) => {
      const cache = new LruCache<number, number>({ maxEntries, maxWeight, weightOf: (_, weight) => weight });
      let list: (readonly [number, number])[] = [];
      const total = () => list.reduce((sum, [, weight]) => sum + weight, 0);
      for (const { verb, key, weight } of operations) {
        const known = list.find(([each]) => each === key);
        const others = list.filter(([each]) => each !== key);
        if (verb === "delete") {
          assert.equal(cache.delete(key), known !== undefined);
          list = others;
        } else if (verb === "get") {
          assert.equal(cache.get(key), known?.[1]);
          if (known !== undefined) list = [...others, known];
        } else {
          cache.set(key, weight);
          list = [...others, [key, weight]];
          while (list.length > 1 && (list.length > maxEntries || total() > maxWeight)) list = list.slice(1);
        }
        assert.deepEqual(
          [...cache.values()],
          list.map(([, each]) => each),
        );
        assert.equal(cache.size, list.length);
      }
    }),
  );
});
