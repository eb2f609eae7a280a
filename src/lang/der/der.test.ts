import assert from "node:assert/strict";
import test from "node:test";
import {
  encodeBoolean,
  derChildren,
  derContents,
  firstPem,
  encodeInteger,
  encodeOctetString,
  encodeOid,
  pemText,
  encodeSequence,
  encodeTime,
} from "./index.ts";

// From X.690 and RFC 5280.
const written: readonly (readonly [string, Buffer, string])[] = [
  ["a small integer", encodeInteger(Uint8Array.of(0, 0, 5)), "020105"],
  ["an integer whose first bit is set", encodeInteger(Uint8Array.of(0x80)), "02020080"],
  ["zero", encodeInteger(Uint8Array.of(0)), "020100"],
  ["true", encodeBoolean(true), "0101ff"],
  ["an object identifier", encodeOid("1.2.840.113549"), "06062a864886f70d"],
  ["a time before 2050", encodeTime(new Date("2049-12-31T23:59:59Z")), "170d3439313233313233353935395a"],
  ["a time from 2050 on", encodeTime(new Date("2050-01-01T00:00:00Z")), "180f32303530303130313030303030305a"],
  ["a long value", encodeOctetString(new Uint8Array(200)).subarray(0, 3), "0481c8"],
];

for (const [name, bytes, expected] of written) {
  test(name, () => {
    assert.equal(bytes.toString("hex"), expected);
  });
}

test("encoded values decode to their parts", () => {
  const parts = [encodeInteger(Uint8Array.of(7)), encodeOctetString(new Uint8Array(300)), encodeSequence(encodeBoolean(false))];
  assert.deepEqual(derChildren(encodeSequence(...parts)), parts);
  assert.equal(derContents(parts[0]!).toString("hex"), "07");
});

for (const broken of ["30", "3005", "3085ffffffffff", "308001", "30020405"]) {
  test(`refuses ${broken}`, () => {
    assert.throws(() => derChildren(Buffer.from(broken, "hex")), RangeError);
  });
}

test("PEM", () => {
  const bytes = Buffer.from("x".repeat(100));
  const text = pemText({ label: "SOME THING", bytes });
  assert.match(text, /^-----BEGIN SOME THING-----\n.{64}\n.{64}\n.{8}\n-----END SOME THING-----\n$/);
  assert.deepEqual(firstPem(`before\n${text}after`), { label: "SOME THING", bytes });
  assert.equal(firstPem("nothing of the kind"), undefined);
});
