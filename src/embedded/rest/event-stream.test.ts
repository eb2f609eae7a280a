import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonItemsOf, type Chunk } from "../../core/exchange/index.ts";
import { EventStream, ValueStream } from "./event-stream.ts";

test("lines written before and while reading come out in order, to the end", async () => {
  let closed = 0;
  const stream = new EventStream(new AbortController().signal, () => closed++);
  stream.write("a\n");
  stream.write("b\n");
  const read: Chunk[] = [];
  const reading = (async () => {
    for await (const chunk of stream) read.push(chunk);
  })();
  await Promise.resolve();
  stream.write("c\n");
  stream.end();
  stream.write("late\n");
  await reading;
  assert.equal(read.join(""), "a\nb\nc\n");
  assert.equal(closed, 1);
});

test("a reader that stops, or an abort, closes the stream", async () => {
  let closed = 0;
  const left = new EventStream(new AbortController().signal, () => closed++);
  left.write("a\n");
  for await (const chunk of left) {
    assert.equal(chunk, "a\n");
    break;
  }
  const stop = new AbortController();
  const aborted = new EventStream(stop.signal, () => closed++);
  stop.abort();
  for await (const chunk of aborted) assert.fail(`nothing comes after the end, but ${chunk} did`);
  assert.equal(closed, 2);
});

test("a reader that lets 64 MB wait loses them, and the stream ends", async () => {
  let closed = 0;
  const stream = new EventStream(new AbortController().signal, () => closed++);
  const megabyte = "a".repeat(1 << 20);
  for (let times = 0; times < 64; times++) stream.write(megabyte);
  assert.equal(closed, 0);
  stream.write("b");
  assert.equal(closed, 1);
  for await (const chunk of stream) assert.fail(`nothing is left, but ${chunk.length} came`);
});

function twoValues(): ValueStream {
  const stream = new ValueStream(new AbortController().signal, () => {});
  for (const name of ["a", "b"]) stream.write({ value: { name }, write: () => `${JSON.stringify({ name })}\n` });
  stream.end();
  return stream;
}

test("a stream of values is read as values, or as text", async () => {
  const values: object[] = [];
  for await (const batch of jsonItemsOf(twoValues())!) values.push(...batch);
  assert.deepEqual(values, [{ name: "a" }, { name: "b" }]);
  let text = "";
  for await (const chunk of twoValues()) text += String(chunk);
  assert.equal(text, '{"name":"a"}\n{"name":"b"}\n');
});
