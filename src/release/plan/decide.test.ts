import assert from "node:assert/strict";
import { test } from "node:test";
import { arrows, hook, item, planned, release, there } from "../../../test/support/plan/fixture.ts";
import { plan, type PlanInput } from "./index.ts";

const web = item("Deployment", "web");
const immutable = { verdict: { says: "immutable", because: "spec.selector: field is immutable" } } as const;
const conflict = { verdict: { says: "conflict", conflicts: [{ field: ".spec.replicas", manager: "hpa" }] } } as const;
const ofB = { "meta.helm.sh/release-name": "b", "meta.helm.sh/release-namespace": "shop" };
const refusals: Readonly<Record<string, readonly [Partial<PlanInput>, Parameters<typeof there>[1], RegExp | undefined]>> = {
  "a field of another manager": [{ release }, conflict, /^deployment\/web: \.spec\.replicas belongs to hpa: .*--force-conflicts/],
  "a field that is taken over": [{ release, options: { force: true } }, conflict, undefined],
  "an object of nobody": [{ release }, { annotations: {} }, /belongs to no release: .*--take-ownership/],
  "an object that is adopted": [{ release, options: { takeOwnership: true } }, { annotations: {} }, undefined],
  "an object of another release": [
    { release, options: { force: true } },
    { annotations: { "meta.helm.sh/release-name": "b" } },
    /belongs to release b/,
  ],
  "an object of another release, whatever is asked for": [
    { release, options: { force: true, takeOwnership: true } },
    { annotations: ofB },
    /^deployment\/web: it belongs to release b in shop: give it another name/,
  ],
  "a field of another release's object": [
    { options: { force: true, takeOwnership: true } },
    { ...conflict, annotations: ofB },
    /\.spec\.replicas belongs to hpa: leave the field out, for release b in shop owns the object/,
  ],
  "a hook in the place of another release's object": [
    { release, desired: [hook("Deployment", "web", { upgrade: ["pre"] })], options: { takeOwnership: true } },
    { annotations: ofB },
    /belongs to release b in shop/,
  ],
  "anybody's object that another release has made": [
    { release, desired: [item("Deployment", "web", { ownership: "anyone" })] },
    { annotations: ofB, verdict: { says: "unchanged" } },
    undefined,
  ],
  "anybody's object that another release has made otherwise": [
    { release, desired: [item("Deployment", "web", { ownership: "anyone" })] },
    { annotations: ofB },
    /belongs to release b in shop/,
  ],
  "an immutable field": [{ release }, immutable, /field is immutable: .*before-creation-if-immutable/],
  "a refusal": [{ release }, { verdict: { says: "refused", because: "exceeded quota" } }, /exceeded quota/],
};

for (const [what, [input, facts, message]] of Object.entries(refusals)) {
  test(`${what} is ${message === undefined ? "taken" : "refused"}`, () => {
    const result = plan({ operation: "upgrade", desired: [web], live: new Map(there([web], facts)), ...input });
    if (message === undefined) assert.ok("plan" in result);
    else assert.match("problems" in result ? result.problems.map((problem) => problem.message).join() : "", message);
  });
}

test("an immutable change replaces what says that it may be replaced", () => {
  const job = item("Job", "j", { deletePolicies: ["before-creation-if-immutable"] });
  assert.equal(arrows(planned({ desired: [job], live: new Map(there([job], immutable)) }))[0], "replace j");
  assert.equal(arrows(planned({ desired: [job], live: new Map(there([job])) }))[0], "apply j");
});
