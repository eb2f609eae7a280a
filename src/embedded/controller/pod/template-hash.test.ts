import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { revisionHash, templateHash } from "./template-hash.ts";

// The pod-template-hash of ReplicaSets and the hash of ControllerRevisions that kube-controller-manager v1.35.8 gave to these templates.
type Row = { readonly kind: "Deployment" | "DaemonSet" | "StatefulSet"; readonly hash: string; readonly template: object };
const [, ...lines] = readFileSync(new URL("recorded/template-hashes.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const rows = lines.map((line) => JSON.parse(line) as Row);

test("hashes of templates are those of a real cluster", () => {
  assert.ok(rows.length > 50);
  for (const { kind, hash, template } of rows) {
    const own =
      kind === "StatefulSet"
        ? revisionHash({ spec: { template: { ...template, $patch: "replace" } } }, 0)
        : templateHash(template, undefined);
    assert.equal(own, hash, `${kind} of ${JSON.stringify(template)}`);
  }
});

test("a collision gives another hash", () => {
  const [{ template }] = rows as [Row];
  const hashes = [undefined, 0, 1, 2].map((count) => templateHash(template, count));
  assert.equal(new Set(hashes).size, 4);
});
