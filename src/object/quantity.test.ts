import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { addQuantities, compareQuantities, parseQuantity, quantityText, quantityValue, subtractQuantities } from "./quantity.ts";

/** As apimachinery's Quantity prints them. */
const canonical: Record<string, string> = {
  "0": "0",
  "100m": "100m",
  "1000m": "1",
  "1500m": "1500m",
  "0.5": "500m",
  "1.5": "1500m",
  "1.5Gi": "1536Mi",
  "0.5Ki": "512",
  "1024": "1024",
  "1024Ki": "1Mi",
  "2048Mi": "2Gi",
  "1000k": "1M",
  "1e3": "1e3",
  "1000e3": "1e6",
  "5E-2": "50e-3",
  "1.1Ki": "1126400m",
  "-1.5": "-1500m",
  "0.0000000001": "1n",
  "1n": "1n",
  "1000000n": "1m",
  "1Ei": "1Ei",
  "16Ei": "9223372036854775807",
  "0.1Ki": "102400m",
};

for (const [text, expected] of Object.entries(canonical)) {
  test(`${text} is ${expected}`, () => assert.equal(quantityText(parseQuantity(text)), expected));
}

const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const refused: Record<string, string> = {
  "": format,
  "1 Gi": format,
  "1.2.3": format,
  abc: format,
  "1Kib": format,
  "1K": "unable to parse quantity's suffix",
  "1mm": "unable to parse quantity's suffix",
  "1GiB": format,
  "1e": "unable to parse quantity's suffix",
  "1e99999999": "unable to parse quantity's suffix",
};

for (const [text, message] of Object.entries(refused)) {
  test(`"${text}" is refused`, () => assert.throws(() => parseQuantity(text), { name: "Fault", message }));
}

test("signs, leading zeros and capital exponents go", () => {
  assert.deepEqual(
    ["+5", "00012", "12E6"].map((text) => quantityText(parseQuantity(text))),
    ["5", "12", "12e6"],
  );
});

test("sums keep the format of the first, unless it is zero", () => {
  assert.equal(sum("1Gi", "512Mi"), "1536Mi");
  assert.equal(sum("100m", "900m"), "1");
  assert.equal(sum("0", "1Ki"), "1Ki");
  assert.equal(sum("1k", "1Ki"), "2024");
  assert.equal(quantityText(subtractQuantities(parseQuantity("1Gi"), parseQuantity("1Mi"))), "1023Mi");
});

test("values are rounded away from zero", () => {
  assert.equal(quantityValue(parseQuantity("1.1")), 2n);
  assert.equal(quantityValue(parseQuantity("100m")), 1n);
  assert.equal(quantityValue(parseQuantity("100m"), "milli"), 100n);
  assert.equal(quantityValue(parseQuantity("1Gi")), 1073741824n);
  assert.equal(quantityValue(parseQuantity(2), "milli"), 2000n);
});

const quantity = fc
  .tuple(fc.integer({ min: -5000, max: 5000 }), fc.constantFrom("", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "e3", "e-3"))
  .map(([number, suffix]) => `${number}${suffix}`);

test("the canonical text reads back as the same amount, and is stable", () => {
  fc.assert(
    fc.property(quantity, (text) => {
      const parsed = parseQuantity(text);
      const again = parseQuantity(quantityText(parsed));
      assert.equal(compareQuantities(parsed, again), 0);
      assert.equal(quantityText(again), quantityText(parsed));
    }),
  );
});

function sum(a: string, b: string): string {
  return quantityText(addQuantities(parseQuantity(a), parseQuantity(b)));
}

test("comparing agrees with subtracting", () => {
  fc.assert(
    fc.property(quantity, quantity, (left, right) => {
      const [a, b] = [parseQuantity(left), parseQuantity(right)];
      const { nano } = subtractQuantities(a, b);
      assert.equal(compareQuantities(a, b), nano > 0n ? 1 : nano < 0n ? -1 : 0);
    }),
  );
});
