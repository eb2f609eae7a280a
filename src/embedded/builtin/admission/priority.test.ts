import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt } from "../../../core/object/index.ts";
import { AdmissionFixture, admissionResult, type PartialObject } from "../../../../test/support/embedded/admission-fixture.ts";

const classes = "priorityclasses.scheduling.k8s.io";
const priorityClass = (name: string, value: number, more: object = {}): PartialObject => {
  return { metadata: { name, namespace: "" }, value, preemptionPolicy: "PreemptLowerPriority", ...more };
};
const plain = [priorityClass("high", 1000), priorityClass("meek", 500, { preemptionPolicy: "Never" })];
const withDefaults = [...plain, priorityClass("usual", 7, { globalDefault: true }), priorityClass("less", 5, { globalDefault: true })];

const written: Record<string, { classes?: PartialObject[]; spec?: object; expected: string }> = {
  "no class and no default": { expected: " 0 PreemptLowerPriority" },
  "a class": { spec: { priorityClassName: "high" }, expected: "high 1000 PreemptLowerPriority" },
  "a class that never preempts": { spec: { priorityClassName: "meek" }, expected: "meek 500 Never" },
  "of several defaults the lowest": { classes: withDefaults, expected: "less 5 PreemptLowerPriority" },
  "the priority of the class may be repeated": {
    spec: { priorityClassName: "high", priority: 1000 },
    expected: "high 1000 PreemptLowerPriority",
  },
};

for (const [name, { classes: known = plain, spec = {}, expected }] of Object.entries(written)) {
  test(name, () => {
    const pod = new AdmissionFixture({ [classes]: known }).create("pods", { spec });
    const { priorityClassName = "", priority, preemptionPolicy } = fieldsAt(pod, "spec");
    assert.equal(`${priorityClassName} ${priority} ${preemptionPolicy}`, expected);
  });
}

test("a pod keeps its priority when an update omits it", () => {
  const before = { spec: { priority: 7, preemptionPolicy: "Never", tolerations: [{ operator: "Exists" }] } };
  const after = new AdmissionFixture().update("pods", before, { spec: { tolerations: [{ operator: "Exists" }] } });
  assert.deepEqual(after["spec"], { tolerations: [{ operator: "Exists" }], priority: 7, preemptionPolicy: "Never" });
});

const refused: Record<string, [spec: object, why: string]> = {
  "a class that is not there": [{ priorityClassName: "none" }, "no PriorityClass with name none was found"],
  "a number of one's own": [
    { priorityClassName: "high", priority: 3 },
    "the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name",
  ],
  "a policy of one's own": [
    { priorityClassName: "meek", preemptionPolicy: "PreemptLowerPriority" },
    "the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name",
  ],
};

for (const [name, [spec, why]] of Object.entries(refused)) {
  test(`rejected: ${name}`, () => {
    const cluster = new AdmissionFixture({ [classes]: plain });
    assert.equal(
      admissionResult(() => cluster.create("pods", { spec })),
      `403 pods "a" is forbidden: ${why}`,
    );
  });
}

test("there is one default at most", () => {
  const cluster = new AdmissionFixture({ [classes]: [priorityClass("usual", 7, { globalDefault: true })] });
  const second = priorityClass("second", 8, { globalDefault: true });
  const said = `403 ${classes} "second" is forbidden: PriorityClass usual is already marked as default. Only one default can exist`;
  assert.equal(
    admissionResult(() => cluster.create(classes, second)),
    said,
  );
  assert.equal(
    admissionResult(() => cluster.update(classes, priorityClass("second", 8), second)),
    said,
  );
  const usual = priorityClass("usual", 7, { globalDefault: true });
  assert.equal(
    admissionResult(() => cluster.update(classes, usual, usual)),
    "let in",
  );
});
