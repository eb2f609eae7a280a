import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt } from "../../../core/object/index.ts";
import { AdmissionFixture, admissionResult } from "../../../../test/support/embedded/admission-fixture.ts";

const overhead = { cpu: "250m", memory: "120Mi" };
const scheduling = { nodeSelector: { runtime: "sandbox" }, tolerations: [{ key: "sandbox", operator: "Exists", effect: "NoSchedule" }] };
const cluster = new AdmissionFixture({
  "runtimeclasses.node.k8s.io": [
    { metadata: { name: "sandbox", namespace: "" }, overhead: { podFixed: overhead }, scheduling },
    { metadata: { name: "plain", namespace: "" } },
  ],
});
const anything = { operator: "Exists" };
const create = (spec: object) => cluster.create("pods", { spec: { tolerations: [anything], ...spec } });

test("a pod gets the overhead and the node selector of its RuntimeClass", () => {
  const spec = fieldsAt(create({ runtimeClassName: "sandbox", nodeSelector: { disk: "fast" } }), "spec");
  assert.deepEqual(spec["overhead"], overhead);
  assert.deepEqual(spec["nodeSelector"], { disk: "fast", runtime: "sandbox" });
  assert.deepEqual(spec["tolerations"], [anything], "what tolerates everything covers the runtime's own");
});

test("a narrower toleration of the pod gives way to the runtime's", () => {
  const narrow = { key: "sandbox", operator: "Equal", value: "x", effect: "NoSchedule" };
  const wide = { key: "sandbox", operator: "Exists", effect: "NoSchedule" };
  const pod = cluster.create("pods", { spec: { runtimeClassName: "sandbox", tolerations: [narrow] } });
  const tolerations = fieldsAt(pod, "spec")["tolerations"];
  assert.ok(Array.isArray(tolerations));
  assert.deepEqual([tolerations.length, tolerations.at(-1)], [3, wide]);
});

const verdicts: Record<string, [spec: object, expected: string]> = {
  "a class that is not there": [{ runtimeClassName: "none" }, 'pod rejected: RuntimeClass "none" not found'],
  "a class without overhead": [{ runtimeClassName: "plain" }, "let in"],
  "overhead in other words": [{ runtimeClassName: "sandbox", overhead: { cpu: "0.25", memory: "120Mi" } }, "let in"],
  "overhead of one's own": [
    { runtimeClassName: "sandbox", overhead: { cpu: "1" } },
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  ],
  "overhead without a class": [
    { overhead: { cpu: "1" } },
    "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
  ],
  "a conflicting node selector": [
    { runtimeClassName: "sandbox", nodeSelector: { runtime: "bare" } },
    "conflict: runtimeClass.scheduling.nodeSelector[runtime] = sandbox; pod.spec.nodeSelector[runtime] = bare",
  ],
};

for (const [name, [spec, expected]] of Object.entries(verdicts)) {
  test(`a pod with ${name}`, () => {
    const result = admissionResult(() => create(spec));
    assert.equal(result.replace('403 pods "a" is forbidden: ', ""), expected);
  });
}
