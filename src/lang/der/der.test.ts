import assert from "node:assert/strict";
import test from "node:test";
import { boolean, childrenOf, contentOf, firstPem, integer, octetString, oid, pemText, sequence, time } from "./index.ts";

// From X.690 and RFC 5280.
const written: readonly (readonly [string, Buffer, string])[] = [
  ["a small integer", integer(Uint8Array.of(0, 0, 5)), "020105"],
  ["an integer whose first bit is set", integer(Uint8Array.of(0x80)), "02020080"],
  ["zero", integer(Uint8Array.of(0)), "020100"],
  ["true", boolean(true), "0101ff"],
  ["an object identifier", oid("1.2.840.113549"), "06062a864886f70d"],
  ["a time before 2050", time(new Date("2049-12-31T23:59:59Z")), "170d3439313233313233353935395a"],
  ["a time from 2050 on", time(new Date("2050-01-01T00:00:00Z")), "180f32303530303130313030303030305a"],
  ["a long value", octetString(new Uint8Array(200)).subarray(0, 3), "0481c8"],
];

for (const [name, bytes, expected] of written) {
  test(name, () => {
    assert.equal(bytes.toString("hex"), expected);
  });
}

test("what is inside comes out again", () => {
  const parts = [integer(Uint8Array.of(7)), octetString(new Uint8Array(300)), sequence(boolean(false))];
  assert.deepEqual(childrenOf(sequence(...parts)), parts);
  assert.equal(contentOf(parts[0]!).toString("hex"), "07");
});

for (const broken of ["30", "3005", "3085ffffffffff", "308001", "30020405"]) {
  test(`refuses ${broken}`, () => {
    assert.throws(() => childrenOf(Buffer.from(broken, "hex")), RangeError);
  });
}

test("PEM", () => {
  const bytes = Buffer.from("x".repeat(100));
  const text = pemText({ label: "SOME THING", bytes });
  assert.match(text, /^-----BEGIN SOME THING-----\n.{64}\n.{64}\n.{8}\n-----END SOME THING-----\n$/);
  assert.deepEqual(firstPem(`before\n${text}after`), { label: "SOME THING", bytes });
  assert.equal(firstPem("nothing of the kind"), undefined);
});
