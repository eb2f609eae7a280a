import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFor } from "../../../core/fault/index.ts";
import { headOf, positionText } from "../../../lang/yaml/index.ts";
import { readRenderedManifests } from "./read-rendered-manifests.ts";

const text = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  labels:\n    x: 1\n`;
const file = "web/templates/hooks.yaml";
const part = (rendered: string) => ({ file, text: rendered, head: headOf(rendered) });

test("a problem of a rendered manifest names the template's file and the object, not a line of the rendered text", () => {
  const list = `apiVersion: v1\nkind: List\nitems:\n- ${text("c").replaceAll("\n", "\n  ")}`;
  const { invalid, manifests } = readRenderedManifests({ crds: [], manifests: [text("a"), text("b"), list].map(part), hooks: [] });
  const messages = ["a", "b", "c"].map(
    (name) => `${file}: configmap/${name}: metadata.labels.x is the number 1; expected a string: quote it`,
  );
  assert.deepEqual(invalid?.problems.map(lineFor), messages);
  assert.deepEqual(manifests, []);
  assert.deepEqual(
    invalid.repaired.map(({ object }) => object.metadata.labels),
    [{ x: "1" }, { x: "1" }, { x: "1" }],
  );
  assert.equal(invalid.isPartial, false);
});

test("rendered manifests are positioned by their template; those of crds/ also by their line", () => {
  const good = text("a").replace("x: 1", "x: z");
  const { crds, manifests, invalid } = readRenderedManifests({
    crds: [{ file: "web/crds/a.yaml", text: `# a\n${good}` }],
    manifests: [part(good)],
    hooks: [],
  });
  assert.equal(invalid, undefined);
  assert.deepEqual(
    [...crds, ...manifests].map(({ at }) => positionText(at)),
    ["web/crds/a.yaml:2", file],
  );
  assert.equal(positionText(manifests[0]!.positionOf("metadata.labels")), file);
});
