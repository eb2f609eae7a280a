import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderingConstraints } from "../order/index.ts";
import { hook, item, planned, webRelease, stepName, existing } from "../../../test/support/plan/plan-notation.ts";

const web = item("Deployment", "web");

const turned: Readonly<Record<string, readonly [Partial<OrderingConstraints>, readonly string[]]>> = {
  "a hook of another event": [{ hook: true, ownership: "anyone", stages: { test: ["pre"] } }, ["delete web", "gone web"]],
  "a hook of this event": [
    { hook: true, ownership: "anyone", stages: { upgrade: ["pre"] }, deletePolicies: ["before-creation"] },
    ["replace web", "await web"],
  ],
  "something for installs only": [{ stages: { install: ["main"] } }, ["delete web", "gone web"]],
};

for (const [what, [constraints, steps]] of Object.entries(turned)) {
  test(`what became ${what}: ${steps.join(", ")}`, () => {
    const live = new Map(existing([web]));
    const now = item("Deployment", "web", constraints);
    const made = planned({ operation: "upgrade", release: webRelease, desired: [now], previous: [web], live });
    assert.deepEqual(
      made.steps.map(stepName).filter((name) => !name.startsWith("record")),
      steps,
    );
  });
}

test("a resource that became a hook stays when it has a keep policy", () => {
  const keep = { create: false, update: false, recreate: false, delete: true };
  const before = item("Deployment", "web", { keep });
  const now = hook("Deployment", "web", { test: ["pre"] });
  const made = planned({
    operation: "upgrade",
    release: webRelease,
    desired: [now],
    previous: [before],
    live: new Map(existing([before])),
  });
  assert.deepEqual(
    made.kept.map(({ because: why }) => why),
    ["its manifest says that it is to be kept"],
  );
});

test("a test removes nothing", () => {
  const made = planned({ operation: "test", desired: [], previous: [web], live: new Map(existing([web])) });
  assert.deepEqual(made.steps, []);
});
