import assert from "node:assert/strict";
import { test } from "node:test";
import { bounded } from "../../../test/support/bounded.ts";
import { matchesFormat } from "./formats.ts";

test("a text that is almost a Go duration is judged at once", () => {
  assert.equal(
    bounded(() => matchesFormat(`1h${"30m".repeat(40)}.`, "duration")),
    true,
    "a number and the name of a unit are in it",
  );
  assert.equal(
    bounded(() => matchesFormat("1x".repeat(40), "duration")),
    false,
  );
});
