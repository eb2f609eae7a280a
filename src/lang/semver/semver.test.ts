import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as fc from "fast-check";
import { bounded } from "../../../test/support/bounded.ts";
import { compareSemver, parseConstraint, parseStrictVersion, parseVersion, satisfies, versionText } from "./index.ts";

// Recorded from Masterminds/semver v3.5.0.
function recorded(name: string): unknown[] {
  const text = readFileSync(new URL(`recorded/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

const versions = `
  0.0.0 0.0.3 0.2.3 0.3.0 1 1.0.0 v1.2 1.2.3 1.2.3-beta.2
  1.2.3-beta.10 1.2.3+meta 1.2.4 1.3.0 1.20.5-gke.1 2.0.0 2.0.0-0 3.1 01.2.3
`
  .trim()
  .split(/\s+/);

for (const row of recorded("constraints") as { constraint: string; takes?: string[]; error?: string }[]) {
  test(`constraint ${JSON.stringify(row.constraint)}`, () => {
    if (row.error !== undefined) return assert.throws(() => parseConstraint(row.constraint), { message: row.error });
    const constraint = parseConstraint(row.constraint);
    assert.deepEqual(
      versions.filter((version) => satisfies(parseVersion(version), constraint)),
      row.takes,
    );
  });
}

for (const row of recorded("versions") as { version: string; loose: string; strict: string }[]) {
  test(`version ${JSON.stringify(row.version).slice(0, 40)}`, () => {
    assert.equal(
      answer(() => versionText(parseVersion(row.version))),
      row.loose,
    );
    assert.equal(
      answer(() => versionText(parseStrictVersion(row.version))),
      row.strict,
    );
  });
}

function answer(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return `error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

// Each of them has bounds that all match, and an end that does not.
for (const bound of [" <21.2", " x", ",*.x", " 1-a", " >= 1.2.3-a.b+c.d", "  ,  1", " 1|1"]) {
  test(`a long constraint of ${JSON.stringify(bound)} is refused as fast as it is read`, () => {
    const text = `1${bound.repeat(Math.floor(500 / bound.length))} <- -`;
    bounded(() => assert.throws(() => parseConstraint(text), /^Error: improper constraint/));
  });
}

test("versions in order", () => {
  const ordered = [
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.10.0",
  ];
  const shuffled = ordered.toReversed().map(parseVersion);
  assert.deepEqual(shuffled.toSorted(compareSemver).map(versionText), ordered);
});

test("output reads back as the same value", () => {
  const number = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(number, number, number, (major, minor, patch) => {
      const text = `${major}.${minor}.${patch}`;
      assert.equal(versionText(parseStrictVersion(text)), text);
      assert.ok(satisfies(parseVersion(text), parseConstraint(`=${text}`)));
    }),
  );
});

test("a hostile constraint is parsed in linear time", () => {
  const text = `${"1  ".repeat(160)}!`;
  assert.throws(() => parseConstraint(text), /improper constraint/);
});
