import assert from "node:assert/strict";
import { test } from "node:test";
import { rememberLast } from "./remember-last.ts";

test("a call with the same parameters as the last one has the same result, and any other is made anew", () => {
  let calls = 0;
  const pair = rememberLast((type: string, object: object) => [type, object, ++calls]);
  const [one, two] = [{}, {}];
  assert.equal(pair("ADDED", one), pair("ADDED", one));
  assert.deepEqual(pair("MODIFIED", one), ["MODIFIED", one, 2]);
  assert.deepEqual(pair("MODIFIED", two), ["MODIFIED", two, 3]);
  assert.deepEqual(pair("MODIFIED", one), ["MODIFIED", one, 4]);
});
