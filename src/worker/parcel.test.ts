import assert from "node:assert/strict";
import { test } from "node:test";
import { deserialize, serialize } from "node:v8";
import * as fc from "fast-check";
import { integerOf } from "../core/object/index.ts";
import { packed, unpacked, type Parcel } from "./parcel.ts";

/** The same through the channel between two processes. */
const sent = (value: unknown) => unpacked(deserialize(serialize(packed(value))) as Parcel);

const exact = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(integerOf);
const { data } = fc.letrec((tie) => ({
  data: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    exact,
    fc.uint8Array({ maxLength: 4 }),
    fc.array(tie("data"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "rawJSON", "0", "constructor")), tie("data"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    fc.array(fc.tuple(fc.string(), tie("data")), { maxLength: 3 }).map((entries) => new Map(entries)),
  ),
}));

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each instanceof Map
      ? { map: [...each] }
      : each instanceof Uint8Array
        ? { bytes: [...each] }
        : typeof each === "number" && !JSON.stringify(each).match(/[1-9]/)
          ? { number: Object.is(each, -0) ? "-0" : String(each) }
          : each,
  );

test("data comes out of a parcel as it went in, with all digits and in its order", () => {
  fc.assert(
    fc.property(data, (value) => assert.equal(textOf(sent(value)), textOf(value))),
    { numRuns: 300 },
  );
});

test("what is at several places is one object on the other side, and costs one", () => {
  let value: unknown = { id: integerOf(2n ** 63n) };
  for (let level = 0; level < 64; level++) value = { one: value, other: value };
  const { one, other } = sent(value) as { one: unknown; other: unknown };
  assert.equal(one, other);
});

test("a parcel has a limit", () => {
  assert.throws(() => packed([new Uint8Array(2 ** 20), "x"], 2 ** 20), { message: "it is larger than 1 MiB", final: true });
  assert.doesNotThrow(() => packed([new Uint8Array(2 ** 20)], 2 ** 20));
});
