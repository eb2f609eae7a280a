import assert from "node:assert/strict";
import { test } from "node:test";
import { BadInput, lineFor } from "../../../core/fault/index.ts";
import { headOf } from "../../../lang/yaml/index.ts";
import { readRenderedManifests } from "./read-rendered-manifests.ts";

const text = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels:\n    x: 1\n`;

test("a problem of a rendered manifest names the template's file and the object, not a line of the rendered text", () => {
  const file = "web/templates/hooks.yaml";
  const part = (name: string) => ({ file, text: text(name), head: headOf(text(name)) });
  const read = () => readRenderedManifests({ crds: [], manifests: [part("a"), part("b")], hooks: [] });
  assert.throws(read, (error) => {
    assert.ok(error instanceof BadInput);
    const messages = ["a", "b"].map((name) => `${file}: configmap/${name}: metadata.labels.x is the number 1; expected a string: quote it`);
    assert.deepEqual(error.problems.map(lineFor), messages);
    return true;
  });
});
