import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { splitList, splitPair } from "./split-pairs.ts";

/** `path -> value`, parted by ` | `; a piece without an equals sign stands alone. */
const cases: Readonly<Record<string, string>> = {
  ".status.tasks.extract=true,.status.tasks.transform=true,.status.tasks.load=true":
    ".status.tasks.extract -> true | .status.tasks.transform -> true | .status.tasks.load -> true",
  '.status.conditions[?(@.type=="Ready")].status=True': '.status.conditions[?(@.type=="Ready")].status -> True',
  '.a[?(@.b=="x,]=y")].c=1,.d=2': '.a[?(@.b=="x,]=y")].c -> 1 | .d -> 2',
  ".a[0,1]=x y,.b=2": ".a[0,1] -> x y | .b -> 2",
  ".a=b=c": ".a -> b=c",
  ".a=x\\,y,.b=1": ".a -> x,y | .b -> 1",
  ".a\\=b=c": ".a=b -> c",
  ".metadata.labels['app\\.kubernetes\\.io/name']=web": ".metadata.labels['app\\.kubernetes\\.io/name'] -> web",
  ".key\\.with\\.dots=1": ".key\\.with\\.dots -> 1",
  ".a[0=1,.b=2": ".a[0 -> 1 | .b -> 2",
  ".a": ".a",
  ".a=1,": ".a -> 1 | ",
  "": "",
};

for (const [text, expected] of Object.entries(cases)) {
  test(JSON.stringify(text), () => {
    const shown = splitList(text).map((piece) => {
      const pair = splitPair(piece);
      return pair === undefined ? piece : `${pair.path} -> ${pair.value}`;
    });
    assert.equal(shown.join(" | "), expected);
  });
}

test("pairs come back as they were, with their commas escaped", () => {
  const path = fc.stringMatching(/^(\.[a-z]{1,5}(\[[0-9]\]|\[\?\(@\.[a-z]=="[a-z,=\]]{0,4}"\)\])?){1,3}$/);
  const value = fc.string({ minLength: 1 }).filter((text) => !/[[\]\\]/.test(text));
  fc.assert(
    fc.property(fc.array(fc.tuple(path, value), { minLength: 1, maxLength: 4 }), (pairs) => {
      const text = pairs.map(([left, right]) => `${left}=${right.replaceAll(",", "\\,")}`).join(",");
      assert.deepEqual(
        splitList(text).map(splitPair),
        pairs.map(([left, right]) => ({ path: left, value: right })),
      );
    }),
  );
});
