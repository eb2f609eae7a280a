import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as fc from "fast-check";
import { fromPlain, GoMap } from "../../lang/template/index.ts";
import { casesIn, typedJson } from "../../../test/support/chart/recorded-cases.ts";

const recorded = readFileSync(new URL("../recorded/set.jsonl", import.meta.url), "utf8");
import { parseIntoFile, parseJsonInto, parseLiteralInto, parseIntoString, parseInto } from "./index.ts";

type Mode = "set" | "string" | "json" | "literal" | "file";
type Recorded = { readonly mode: Mode; readonly line: string; readonly base?: unknown; readonly err?: string; readonly values?: unknown };

const readers: Readonly<Record<Mode, (values: GoMap, line: string) => string | undefined>> = {
  set: parseInto,
  string: parseIntoString,
  json: parseJsonInto,
  literal: parseLiteralInto,
  file: (values, line) => parseIntoFile(values, line, readFile),
};

function readFile(path: string): string {
  if (path === "bad") throw new Error("open bad: no such file or directory");
  return `<${path}>`;
}

for (const [index, { mode, line, base = {}, err, values }] of casesIn<Recorded>(recorded).entries()) {
  test(`${index}: --set (${mode}) ${line} over ${JSON.stringify(base)}`, () => {
    const map = fromPlain(base);
    assert.ok(map instanceof GoMap);
    const problem = readers[mode](map, line);
    // Helm reports only that the JSON is invalid.
    if (mode === "json") assert.equal(problem === undefined, err === undefined);
    else assert.equal(problem, err);
    if (err === undefined) assert.deepEqual(typedJson(map), values);
  });
}

test("a list has at most so many items", () => {
  assert.equal(parseInto(new GoMap(), "a[65536]=1"), undefined);
  assert.equal(parseInto(new GoMap(), "a[65537]=1"), "index of 65537 is greater than maximum supported index of 65536");
});

test("any line is read, or something is wrong with it", () => {
  const parts = fc.constantFrom("a", "b", ".", "[0]", "[", "]", "=", ",", "{", "}", "\\", "1", "null", '"', "é");
  fc.assert(
    fc.property(fc.array(parts), fc.constantFrom(...Object.values(readers)), (line, read) => {
      const problem = read(new GoMap(), line.join(""));
      assert.ok(problem === undefined || problem.length > 0);
    }),
  );
});
