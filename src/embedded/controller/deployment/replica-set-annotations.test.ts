import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { newSetAnnotations, replicaSetRevisionOf } from "./replica-set-annotations.ts";

const revision = "deployment.kubernetes.io/revision";
const history = "deployment.kubernetes.io/revision-history";

function deployment(annotations: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "foo", annotations }, spec: {} };
}

// TestAnnotationUtils in pkg/controller/deployment/util/deployment_util_test.go: each new revision joins the history.
test("a reused ReplicaSet keeps its previous revisions", () => {
  let annotations: Readonly<Record<string, string>> = {};
  for (const next of [1, 3, 5]) annotations = newSetAnnotations(deployment({}), annotations, next);
  assert.deepEqual(annotations, { [revision]: "5", [history]: "1,3" });
});

test("a set whose revision is higher keeps it", () => {
  const present = { [revision]: "7" };
  assert.deepEqual(newSetAnnotations(deployment({}), present, 3), present);
});

test("a history that grows too long loses its oldest", () => {
  const long = Array.from({ length: 500 }, (_, at) => String(1000 + at)).join(",");
  const grown = newSetAnnotations(deployment({}), { [revision]: "2000", [history]: long }, 2001)[history]!;
  assert.ok(grown.length <= 2000);
  assert.ok(grown.startsWith("1101,"), grown.slice(0, 12));
  assert.ok(grown.endsWith(",2000"));
});

test("annotations of the Deployment are copied, except its own", () => {
  const annotations = { team: "a", [revision]: "9", "kubectl.kubernetes.io/last-applied-configuration": "{}" };
  assert.deepEqual(newSetAnnotations(deployment(annotations), {}, 2), { team: "a", [revision]: "2" });
});

for (const [text, expected] of [
  ["3", 3],
  ["-1", -1],
  ["three", 0],
  [undefined, 0],
] as const) {
  test(`revision ${text} reads as ${expected}`, () => {
    assert.equal(replicaSetRevisionOf(deployment(text === undefined ? {} : { [revision]: text })), expected);
  });
}
