import assert from "node:assert/strict";
import { test } from "node:test";
import { cutToWidth, textWidth } from "./text-width.ts";

const widths: Readonly<Record<string, number>> = { "": 0, abc: 3, "\u001B[31mred\u001B[0m": 3, 日本: 4, "🚀": 2, é: 1 };

for (const [text, width] of Object.entries(widths))
  test(`${JSON.stringify(text)} takes ${width} columns`, () => assert.equal(textWidth(text), width));

const cuts: readonly (readonly [string, number, string])[] = [
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["日本語", 4, "日…"],
  ["one\n  two\r\nthree", 20, "one two three"],
  ["a\tb\u0007c", 9, "a b c"],
  ["\u001B[2J\u001B[31mred", 9, "red"],
  ["abc", 0, ""],
];

for (const [text, width, expected] of cuts)
  test(`${JSON.stringify(text)} in ${width} columns`, () => assert.equal(cutToWidth(text, width), expected));
