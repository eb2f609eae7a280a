import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ObjectRef } from "../../core/object/index.ts";
import { compareRefs, SortedMatches } from "./sorted-matches.ts";

/** `ns/name`, with a version behind an @ where it matters. */
function refOf(text: string): ObjectRef {
  const [place = "", version = "v1"] = text.split("@");
  const [namespace = "", name = ""] = place.split("/");
  return { group: "", version, kind: "Service", namespace, name };
}

function textOf(sorted: SortedMatches): string {
  return sorted
    .list()
    .map(({ ref }) => `${ref.namespace}/${ref.name}`)
    .join(" ");
}

test("matches are ordered by namespace and name", () => {
  const words = fc.constantFrom("a/x", "a/y", "b/x", "b/y", "/x", "aa/x", "a/xx");
  const steps = fc.array(fc.record({ verb: fc.constantFrom("put", "delete", "list"), at: words }), { maxLength: 40 });
  fc.assert(
    fc.property(steps, fc.boolean(), (moves, mayRepeat) => {
      const sorted = new SortedMatches(mayRepeat);
      const current = new Set<string>();
      for (const { verb, at } of moves) {
        if (verb === "put") sorted.put(at, { match: { ref: refOf(at), message: "" }, selector: 0 });
        if (verb === "delete") sorted.delete(at);
        if (verb === "put") current.add(at);
        if (verb === "delete") current.delete(at);
        if (verb === "list") sorted.list();
      }
      const expected = [...current].map((at) => refOf(at)).toSorted(compareRefs);
      assert.equal(textOf(sorted), expected.map(({ namespace, name }) => `${namespace}/${name}`).join(" "));
    }),
  );
});

test("an object that is found in two versions is listed once, from the first selector", () => {
  const sorted = new SortedMatches(true);
  sorted.put("one", { match: { ref: refOf("a/x@v1"), message: "second" }, selector: 1 });
  sorted.put("two", { match: { ref: refOf("a/x@v2"), message: "first" }, selector: 0 });
  assert.deepEqual(
    sorted.list().map(({ message }) => message),
    ["first"],
  );
});
