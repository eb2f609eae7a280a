import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { kinds, notBuilt } from "./kinds.ts";

const text = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "events.md"), "utf8");
const section = /^## What is not built$(.*?)(?=^## |(?![\s\S]))/ms.exec(text)?.[1] ?? "";

/** What the bullets of the section say: before the colon kinds, after it fields, both in backquotes. */
function documented(): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, string[]>();
  for (const [, before = "", after = ""] of section.matchAll(/^- (.*?): (.*)$/gm))
    for (const kind of quoted(before)) result.set(kind, [...(result.get(kind) ?? []), ...quoted(after)]);
  return result;
}

const quoted = (words: string) => [...words.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

for (const [kind, fields] of notBuilt()) {
  test(`docs/events.md lists what is not built of ${kind}`, () => {
    assert.deepEqual(documented().get(kind)?.toSorted(), fields.toSorted());
  });
}

test("docs/events.md lists no other kind", () => {
  assert.deepEqual(
    [...documented().keys()].filter((kind) => !(kind in kinds)),
    [],
  );
});
