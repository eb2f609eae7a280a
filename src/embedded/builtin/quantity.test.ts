import assert from "node:assert/strict";
import { test } from "node:test";
import { bounded } from "../../../test/support/bounded.ts";
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  printQuantity,
  quantityOf,
  roundedToMilli,
  unitsOf,
  wrongFormat,
  wrongSuffix,
} from "./quantity.ts";

// The spellings are the ones of apimachinery pkg/api/resource/quantity_test.go.
const spellings: readonly (readonly [string, string])[] = [
  ["1000m", "1"],
  ["0.5", "500m"],
  ["1.5", "1500m"],
  ["1.500", "1.500"],
  ["1024Mi", "1Gi"],
  ["1500Mi", "1500Mi"],
  ["0.5Gi", "512Mi"],
  ["512Ki", "512Ki"],
  ["1023", "1023"],
  ["100e3", "100e3"],
  ["1000e3", "1e6"],
  ["12e6", "12e6"],
  ["0Mi", "0"],
  ["1000000", "1M"],
  ["128974848", "128974848"],
  ["129e6", "129e6"],
  [".001", "1m"],
  ["0.0001k", "100m"],
  ["-1000m", "-1"],
];
/** A number of any length is exact, and takes time in proportion to it. */
const long: readonly (readonly [what: string, text: string, stored: string | undefined])[] = [
  ["a zero with ten decimals", ".0000000000", "0"],
  ["a zero with a small exponent", "0e-20", "0"],
  ["a small exponent", "1e-99999", "1e-9"],
  ["more decimals than are kept", `1.${"0".repeat(500)}1`, "1000000001n"],
  ["many nines", `0.${"9".repeat(500)}`, "1"],
  ["many digits", "9".repeat(50_000), "9223372036854775807"],
  ["many zeros", `${"0".repeat(50_000)}1000`, "1k"],
  ["many zeros and a wrong end", `${"0".repeat(50_000)}?`, undefined],
  ["many digits and a wrong end", `1.${"1".repeat(50_000)}?`, undefined],
  ["many letters and a wrong end", `1${"e".repeat(50_000)}?`, undefined],
];

for (const [what, text, stored] of long)
  test(`${what}: ${stored ?? "rejected"}`, () => {
    const quantity = bounded(() => parseQuantity(text));
    assert.equal(typeof quantity === "string" ? undefined : printQuantity(quantity), stored);
  });

for (const [written, stored] of spellings) {
  test(`${written} is stored as ${stored}`, () => assert.equal(printQuantity(quantityOf(written)), stored));
}

const refused: readonly (readonly [unknown, string])[] = [
  ["", wrongFormat],
  ["abc", wrongFormat],
  ["1.1.M", wrongFormat],
  ["10 Mi", wrongFormat],
  ["1mi", wrongSuffix],
  ["100MM", wrongSuffix],
  ["10mm", wrongSuffix],
  [true, wrongFormat],
];
for (const [value, problem] of refused) test(`${JSON.stringify(value)} is rejected`, () => assert.equal(parseQuantity(value), problem));

test("resource lists round up to thousandths", () => {
  assert.equal(printQuantity(roundedToMilli(quantityOf("1n"))), "1m");
  assert.equal(printQuantity(roundedToMilli(quantityOf("1.0005"))), "1001m");
});

test("sums and comparisons", () => {
  assert.equal(printQuantity(addQuantities(quantityOf("500m"), quantityOf("1"))), "1500m");
  assert.equal(printQuantity(addQuantities(quantityOf("0"), quantityOf("1Gi"))), "1Gi");
  assert.equal(compareQuantities(quantityOf("1Gi"), quantityOf("1G")), 1);
  assert.equal(unitsOf(quantityOf("1500m")), 2n);
});
