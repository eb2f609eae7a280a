import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chunk } from "../../core/exchange/index.ts";
import { EventStream } from "./event-stream.ts";

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
