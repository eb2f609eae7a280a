import assert from "node:assert/strict";
import { test } from "node:test";
import { indentedJson } from "./write.ts";

test("JSON is indented to the depth to which Go reads it", () => {
  assert.equal(indentedJson('{"a":[1,[]]}'), '{\n  "a": [\n    1,\n    []\n  ]\n}');
  const deeper = `${"[".repeat(10_001)}1${"]".repeat(10_001)}`;
  assert.throws(() => indentedJson(deeper), { message: "invalid character '[' exceeded max depth" });
});
