import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { OutputBuffer } from "./output-buffer.ts";

/** Streams that note what is written to them, and by what name. */
function noted() {
  const writes: string[] = [];
  const named = (name: string) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        writes.push(`${name} ${text}`);
        done();
      },
    });
  return { writes, out: named("out"), err: named("err") };
}

test("writes of one turn go out together, in order across streams", async () => {
  const { writes, out, err } = noted();
  const gathered = new OutputBuffer();
  for (const [to, text] of [
    [out, "a"],
    [out, "b"],
    [err, "c"],
    [out, "d"],
  ] as const)
    gathered.write(to, text);
  assert.deepEqual(writes, ["out ab", "err c"]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(writes, ["out ab", "err c", "out d"]);
});

test("what is large does not wait", () => {
  const { writes, out } = noted();
  const gathered = new OutputBuffer();
  const piece = "x".repeat(10_000);
  gathered.write(out, piece);
  gathered.write(out, piece);
  assert.deepEqual(
    writes.map(({ length }) => length),
    [4 + 20_000],
  );
});

test("a flush writes what is left", () => {
  const { writes, out } = noted();
  const gathered = new OutputBuffer();
  gathered.write(out, "a");
  gathered.flush();
  gathered.flush();
  assert.deepEqual(writes, ["out a"]);
});
