import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeStreams } from "./merge-streams.ts";

async function* streamOf(...words: readonly string[]): AsyncGenerator<string> {
  yield* words;
}

async function collected(words: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const word of words) all.push(word);
  return all;
}

const silent: AsyncIterable<string> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
const broken: AsyncIterable<string> = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("broken")) }) };

test("yields all values, each stream in its order", async () => {
  const all = await collected(mergeStreams([streamOf("a1", "a2", "a3"), streamOf(), streamOf("b1", "b2")]));
  assert.deepEqual(all.toSorted(), ["a1", "a2", "a3", "b1", "b2"]);
  assert.deepEqual(
    all.filter((word) => word.startsWith("a")),
    ["a1", "a2", "a3"],
  );
  assert.deepEqual(await collected(mergeStreams([])), []);
});

test("of those that have something at the same time, the first comes first", async () => {
  const gate = Promise.withResolvers<void>();
  async function* late(word: string): AsyncGenerator<string> {
    await gate.promise;
    yield word;
  }
  const all = collected(mergeStreams([late("cause"), late("effect")]));
  gate.resolve();
  assert.deepEqual(await all, ["cause", "effect"]);
});

test("a silent stream does not prevent the return, and one that fails ends all", async () => {
  for await (const word of mergeStreams([silent, streamOf("a", "b")])) {
    assert.equal(word, "a");
    break;
  }
  await assert.rejects(collected(mergeStreams([silent, broken])), { message: "broken" });
});
