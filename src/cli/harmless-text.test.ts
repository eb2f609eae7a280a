import assert from "node:assert/strict";
import { test } from "node:test";
import { harmlessText } from "./harmless-text.ts";

const esc = "\u001B";
const cases: readonly (readonly [name: string, text: string, shown: string])[] = [
  ["plain text, tabs, lines and other scripts", "a\tb\nµ 日本 🙂", "a\tb\nµ 日本 🙂"],
  ["colours", `${esc}[32mready${esc}[39m`, `${esc}[32mready${esc}[39m`],
  ["nested choices", `${esc}[1m${esc}[38;5;200mx${esc}[39m${esc}[22m`, `${esc}[1m${esc}[38;5;200mx${esc}[39m${esc}[22m`],
  ["colours that are left open end with their line", `${esc}[31mred\nnext`, `${esc}[31mred${esc}[0m\nnext`],
  ["an empty choice is a reset", `${esc}[31mred${esc}[m`, `${esc}[31mred${esc}[m`],
  ["concealed text", `${esc}[8mhidden`, "\\x1b[8mhidden"],
  ["concealed text among others", `${esc}[1;8mhidden`, `\\x1b[1;8mhidden${esc}[0m`],
  ["a cleared screen", `${esc}[2J${esc}[H`, "\\x1b[2J\\x1b[H"],
  ["a new title", `${esc}]0;root@prod\u0007`, "\\x1b]0;root@prod\\x07"],
  ["a question that the terminal would answer", `${esc}[6n${esc}P$q"p${esc}\\`, '\\x1b[6n\\x1bP$q"p\\x1b\\'],
  ["a link", `${esc}]8;;https://evil.example${esc}\\x${esc}]8;;${esc}\\`, "\\x1b]8;;https://evil.example\\x1b\\x\\x1b]8;;\\x1b\\"],
  ["control characters of eight bits", "\u009B2J\u0085", "\\x9b2J\\x85"],
  ["a line that is overwritten", "failed\rready", "failed\\x0dready"],
  ["a line of Windows", "a\r\nb\r", "a\nb"],
  ["a letter that is deleted", "ab\b\u007F", "ab\\x08\\x7f"],
  ["text in another order", "user\u202Egnp.exe\u2066\u2069", "user\\u202egnp.exe\\u2066\\u2069"],
  ["an escape at the end", `x${esc}`, "x\\x1b"],
];

for (const [name, text, shown] of cases) test(name, () => assert.equal(harmlessText(text), shown));
