import assert from "node:assert/strict";
import { test } from "node:test";
import { TextCache } from "./text-cache.ts";

test("the oldest texts are evicted, the newest never", () => {
  const cache = new TextCache<number>(6);
  cache.keep("aaa", 1);
  cache.keep("bbb", 2);
  assert.deepEqual([cache.get("aaa"), cache.get("bbb")], [1, 2]);
  cache.keep("c", 3);
  assert.deepEqual([cache.get("aaa"), cache.get("bbb"), cache.get("c")], [undefined, 2, 3]);
  cache.keep("longer than all", 4);
  assert.deepEqual([cache.get("bbb"), cache.get("c"), cache.get("longer than all")], [undefined, undefined, 4]);
});
