import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { bounded } from "../../../test/support/bounded.ts";
import { parseDuration } from "./parse-duration.ts";

const cases: Readonly<Record<string, number | undefined>> = {
  "0": 0,
  "90s": 90_000,
  "1h30m": 5_400_000,
  "1.5s": 1500,
  ".5s": 500,
  "5.s": 5000,
  "-2m": -120_000,
  "+2m": 120_000,
  "100ms": 100,
  "1us": 0.001,
  "1µs": 0.001,
  "1m1m": 120_000,
  "2562047h": 2562047 * 3_600_000,
  "2562048h": undefined,
  "": undefined,
  "5": undefined,
  "-": undefined,
  ".s": undefined,
  "1d": undefined,
  "1 s": undefined,
  " 1s": undefined,
  soon: undefined,
};

for (const [text, expected] of Object.entries(cases)) {
  test(`${JSON.stringify(text)} is ${expected ?? "no duration"}`, () => assert.equal(parseDuration(text), expected));
}

test("a text that is almost a duration is refused at once", () => {
  // Each pair of digits could be read in two ways, and all of them together in 2^40.
  assert.equal(
    bounded(() => parseDuration(`1h${"30m".repeat(40)}x`)),
    undefined,
  );
});

test("parts add up, whatever their order", () => {
  const part = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.constantFrom("ms", "s", "m", "h"));
  const factor: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.map(([number, unit]) => `${number}${unit}`).join("");
      assert.equal(
        parseDuration(text),
        parts.reduce((sum, [number, unit]) => sum + number * factor[unit]!, 0),
      );
    }),
  );
});
