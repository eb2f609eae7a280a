import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, type KubeObject } from "../../../core/object/index.ts";
import { AdmissionFixture } from "../../../../test/support/embedded/admission-fixture.ts";

const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";

/** `key:effect=seconds` of each toleration. */
function tolerationsOf(pod: KubeObject): string {
  const words = listAt(pod, "spec.tolerations").map(
    ({ key = "", effect = "", tolerationSeconds = "" }) => `${key}:${effect}=${tolerationSeconds}`,
  );
  return words.join(" ");
}

const both = `${notReady}:NoExecute=300 ${unreachable}:NoExecute=300`;
const cases: Record<string, [tolerations: object[], expected: string]> = {
  none: [[], both],
  "one of them": [
    [{ key: notReady, operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
    `${notReady}:NoExecute=5 ${unreachable}:NoExecute=300`,
  ],
  "one of them, for any effect": [[{ key: unreachable, operator: "Exists" }], `${unreachable}:= ${notReady}:NoExecute=300`],
  "another effect": [[{ key: notReady, operator: "Exists", effect: "NoSchedule" }], `${notReady}:NoSchedule= ${both}`],
  everything: [[{ operator: "Exists" }], ":="],
  "something else": [[{ key: "x", operator: "Exists" }], `x:= ${both}`],
};

for (const [name, [tolerations, expected]] of Object.entries(cases)) {
  test(`tolerated: ${name}`, () => assert.equal(tolerationsOf(new AdmissionFixture().create("pods", { spec: { tolerations } })), expected));
}

test("an update that drops them has them again", () => {
  assert.equal(tolerationsOf(new AdmissionFixture().update("pods", { spec: {} }, { spec: {} })), both);
});
