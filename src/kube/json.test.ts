import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readJson } from "./json.ts";

// Writing gives the same text.
const kept = [
  '{"a":9007199254740993}',
  '{"a":-9223372036854775808,"b":[18446744073709551615,1]}',
  '[9007199254740993,"9007199254740993",12345678901234567.5e0]',
  '{"digest":"sha256:1234567890123456789","n":1}',
  '{"a":123456789012345678901234567890}',
];

for (const text of kept) {
  test(`${text} loses no digit`, () => {
    assert.equal(JSON.stringify(readJson(text)), text.replace("12345678901234567.5e0", "12345678901234568"));
  });
}

test("everything else is read as always", () => {
  fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(readJson(text), JSON.parse(text))));
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (n) =>
      assert.equal(JSON.stringify(readJson(`{"n": ${n}}`)), `{"n":${n}}`),
    ),
  );
});
