import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPostRender } from "./post-render.ts";

const files = new Map([
  ["web/templates/b.yaml", "kind: B\nmetadata: {name: b}\n---\n# only words\n"],
  ["web/templates/a.yaml", "kind: A\nmetadata:\n  name: a\n  annotations: {x: word}\n---kind: A2\n"],
]);

test("a post-renderer is given all manifests with their files, and what it answers goes back to them", async () => {
  let given = "";
  const after = await applyPostRender(files, async (manifests) => {
    given = manifests;
    return manifests.replace("kind: B", "kind: C");
  });
  assert.match(given, /^kind: A\n[^]*\n---\nkind: A2\n[^]*\n---\nkind: B\n/);
  assert.equal(given.match(/postrenderer\.helm\.sh\/postrender-filename: web\/templates\//g)?.length, 3);
  assert.deepEqual(Object.fromEntries(after), {
    "web/templates/a.yaml": "kind: A\nmetadata:\n  annotations:\n    x: word\n  name: a\n---\nkind: A2\nmetadata: {}\n",
    "web/templates/b.yaml": "kind: C\nmetadata:\n  name: b\n",
  });
});

test("what it adds of its own gets a name of its own", async () => {
  const after = await applyPostRender(files, async () => "kind: New\nmetadata: {name: n1}\n");
  assert.deepEqual([...after.keys()], ["generated-by-postrender-0.yaml"]);
});

test("an answer that is no manifest is refused", async () => {
  await assert.rejects(
    applyPostRender(files, async () => "a: b: c\n"),
    /error while parsing post rendered output: the post-renderer's output:1: /,
  );
  await assert.rejects(
    applyPostRender(files, async () => "- a\n"),
    /expected a Kubernetes object/,
  );
});
