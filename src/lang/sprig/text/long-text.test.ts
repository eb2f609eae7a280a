import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import "../../../../test/support/fixed-seed.ts";
import { fromBytes, toBytes } from "../../template/index.ts";
import { adler32 } from "../crypto/digest.ts";
import { decode32, encode32 } from "./base-encoding.ts";
import { initialsOf, withoutSpace, wrapText } from "./line.ts";
import { toLower, toTitle, toUpper } from "./rune.ts";
import { joinedWords } from "./joined-words.ts";
import { pascalCase, swappedCase, untitled } from "./word.ts";

const text = fc.string({ unit: fc.constantFrom(..."aZ09-_ .\t\n\u0085éßİǅς日\u{10400}\udc80"), maxLength: 12 });
const byteSpaces = [9, 10, 11, 12, 13, 32, 0x85, 0xa0];

test("upper and lower case are those of each rune", () =>
  fc.assert(
    fc.property(text, (each) => {
      assert.equal(toUpper(each), Array.from(each, toUpper).join(""));
      assert.equal(toLower(each), Array.from(each, toLower).join(""));
    }),
  ));

const asciiText = fc.string({ unit: fc.constantFrom(..."aZ09-_ .\t\nBc"), maxLength: 12 });

test("texts in ASCII, which have loops of their own, become what they become beside other characters", () =>
  fc.assert(
    fc.property(asciiText, (each) => {
      for (const convert of [swappedCase, untitled, toTitle]) assert.equal(convert(each), convert(`${each}é`).slice(0, -1));
      assert.equal(pascalCase(`x${each}`).slice(1), pascalCase(`é${each}`).slice(1));
    }),
  ));

test("nospace and initials see bytes", () =>
  fc.assert(
    fc.property(text, (each) => {
      const bytes = toBytes(each);
      const kept = bytes.filter((byte) => !byteSpaces.includes(byte));
      const starts = bytes.filter((byte, at) => !byteSpaces.includes(byte) && (at === 0 || byteSpaces.includes(bytes[at - 1]!)));
      assert.equal(withoutSpace(each), kept.length === bytes.length ? each : Buffer.from(kept).toString("latin1"));
      assert.equal(initialsOf(each), Buffer.from(starts).toString("latin1"));
    }),
  ));

test("base32 and back is the same text", () =>
  fc.assert(fc.property(text, (each) => assert.equal(decode32(encode32(each)), fromBytes(toBytes(each))))));

test("long texts have few words in memory, and the same words", () => {
  const count = 50_000;
  assert.equal(joinedWords("FooBar é1 ".repeat(count), "_"), "foo_bar_é1_".repeat(count));
  assert.equal(pascalCase("foo_bar-".repeat(count)), `${"FooBar".repeat(count)}-`);
  assert.equal(wrapText("lorem ipsum ".repeat(count), 12, "\n", false), `${"lorem ipsum\n".repeat(count - 1)}lorem ipsum `);
  assert.equal(adler32("\xff".repeat(100_000)), adler32ByByte(100_000));
});

/** The sum of that many ÿ, modulo at each byte. */
function adler32ByByte(count: number): string {
  let [low, high] = [1, 0];
  for (let at = 0; at < count; at++) {
    for (const byte of [0xc3, 0xbf]) {
      low = (low + byte) % 65_521;
      high = (high + low) % 65_521;
    }
  }
  return String(high * 65_536 + low);
}
