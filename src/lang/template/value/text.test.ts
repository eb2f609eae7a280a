import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { byteAt, byteLength, compareGoStrings, fromBytes, hasRawByte, isAscii, sliceBytes, toBytes } from "./text.ts";

test("invalid UTF-8 bytes survive in a string", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      assert.deepEqual(toBytes(fromBytes(bytes)), bytes);
      assert.equal(byteLength(fromBytes(bytes)), bytes.length);
    }),
  );
});

test("valid text is unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      assert.equal(fromBytes(Buffer.from(text)), text);
      assert.equal(byteLength(text), Buffer.byteLength(text));
      assert.equal(hasRawByte(text), false);
    }),
  );
});

test("strings are ordered by their bytes", () => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 4 }),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => fromBytes(bytes)),
  );
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      assert.equal(Math.sign(compareGoStrings(one, other)), Buffer.compare(toBytes(one), toBytes(other)));
    }),
  );
  // JavaScript compares UTF-16 units, which gives the opposite order.
  assert.ok(compareGoStrings("\uffff", "😀") < 0);
});

test("a slice may cut a character in two", () => {
  const cut = sliceBytes("héllo", 0, 2);
  assert.deepEqual([...toBytes(cut)], [0x68, 0xc3]);
  assert.ok(hasRawByte(cut) && !isAscii(cut));
  assert.equal(sliceBytes("héllo", 3, 6), "llo");
  assert.equal(byteAt("héllo", 2), 0xa9);
  assert.equal(sliceBytes("plain", 1, 3), "la");
});

test("concatenated bytes of a character form the character", () => {
  const text = "日本";
  assert.equal(fromBytes(Buffer.concat([toBytes(sliceBytes(text, 0, 4)), toBytes(sliceBytes(text, 4, 6))])), text);
});
