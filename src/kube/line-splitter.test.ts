import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { LineSplitter } from "./line-splitter.ts";

test("lines come out the same however the stream is cut, as text or bytes", () => {
  const text = fc
    .array(
      fc.string({ unit: "grapheme" }).map((line) => line.replaceAll("\n", "")),
      { maxLength: 8 },
    )
    .map((lines) => lines.join("\n"));
  const cuts = fc.array(fc.nat(200), { maxLength: 12 });
  fc.assert(
    fc.property(text, cuts, fc.boolean(), (whole, at, asBytes) => {
      const bytes = Buffer.from(whole, "utf8");
      const end = asBytes ? bytes.length : whole.length;
      const edges = [0, ...at.filter((cut) => cut <= end).sort((a, b) => a - b), end];
      const chunks = edges
        .slice(1)
        .map((edge, n) => (asBytes ? new Uint8Array(bytes.subarray(edges[n], edge)) : whole.slice(edges[n], edge)));
      const lines = new LineSplitter();
      const read = [...chunks.flatMap((chunk) => lines.push(chunk)), lines.end()];
      assert.deepEqual(read, whole.split("\n"));
    }),
  );
});

const cut = (bytes: number) => `abcde… (${bytes} more bytes)`;

test("what a line has beyond its limit is not kept, and counted", () => {
  for (const chunk of [(text: string) => text, (text: string) => Buffer.from(text)]) {
    const lines = new LineSplitter(5);
    const read = ["ab\nabcdefgh\nabc", "defgh", "ijk", "\nabcde\nabcdef"].flatMap((text) => lines.push(chunk(text)));
    assert.deepEqual([...read, lines.end()], ["ab", cut(3), cut(6), "abcde", cut(1)]);
  }
});
