import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseWerfProperties } from "./werf-properties.ts";

const cases: Readonly<Record<string, Readonly<Record<string, string | boolean>>>> = {
  "state=ready,kind=Deployment,name=web": { state: "ready", kind: "Deployment", name: "web" },
  " State = ready , KIND=Job ": { state: "ready", kind: "Job" },
  "a=b=c": { a: "b=c" },
  "a='x, y',b=\"p=q\"": { a: "x, y", b: "p=q" },
  "a=' x '": { a: " x " },
  "a='it\\'s',b": { a: "it\\'s", b: true },
  "a,,b": { a: true, b: true },
  "noa,no": { a: false, no: true },
  "a=": { a: "" },
  "a=,b=1": { a: "", b: "1" },
  "a='open,b=1": { a: "'open", b: "1" },
  "a='x'rest,b=1": { a: "x", b: "1" },
  "a=1,a=2": { a: "2" },
  "=1": {},
  "": {},
};

for (const [text, expected] of Object.entries(cases)) {
  test(JSON.stringify(text), () => assert.deepEqual(Object.fromEntries(parseWerfProperties(text)), expected));
}

test("what is written in quotes comes back as it was", () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  const value = fc.string().filter((text) => !/["\\]/.test(text));
  fc.assert(
    fc.property(fc.dictionary(key, value), (map) => {
      const text = Object.entries(map)
        .map(([name, content]) => `${name}="${content}"`)
        .join(" , ");
      assert.deepEqual(Object.fromEntries(parseWerfProperties(text)), { ...map });
    }),
  );
});

test("no text is too strange to read", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "=", ",", "'", '"', "\\", " ", "n", "o") }),
      (text) => void parseWerfProperties(text),
    ),
  );
});
