import assert from "node:assert/strict";
import { test } from "node:test";
import { arrows, hook, item, planned, webRelease, existing } from "../../../test/support/plan/plan-notation.ts";
import { buildPlan, type PlanInput } from "./index.ts";

const web = item("Deployment", "web");
const claim = item("PersistentVolumeClaim", "web");
const immutable = { dryRun: { outcome: "immutable", because: "spec.selector: field is immutable" } } as const;
const conflict = { dryRun: { outcome: "conflict", conflicts: [{ field: ".spec.replicas", manager: "hpa" }] } } as const;
const ofB = { "meta.helm.sh/release-name": "b", "meta.helm.sh/release-namespace": "shop" };
const refusals: Readonly<Record<string, readonly [Partial<PlanInput>, Parameters<typeof existing>[1], RegExp | undefined]>> = {
  "a field of another manager": [
    { release: webRelease },
    conflict,
    /^deployment\/web: \.spec\.replicas belongs to hpa: .*--force-conflicts/,
  ],
  "a field that is taken over": [{ release: webRelease, options: { force: true } }, conflict, undefined],
  "an object without an owner": [{ release: webRelease }, { annotations: {} }, /belongs to no release: .*--take-ownership/],
  "a field of an object without an owner, whose adoption may be enough": [
    { release: webRelease },
    { ...conflict, annotations: {} },
    /^deployment\/web: it is there already and belongs to no release: give it another name, or adopt it with --take-ownership$/,
  ],
  "an object that is adopted": [{ release: webRelease, options: { takeOwnership: true } }, { annotations: {} }, undefined],
  "an object of another release": [
    { release: webRelease, options: { force: true } },
    { annotations: { "meta.helm.sh/release-name": "b" } },
    /belongs to release b/,
  ],
  "an object of another release, whatever is asked for": [
    { release: webRelease, options: { force: true, takeOwnership: true } },
    { annotations: ofB },
    /^deployment\/web: it belongs to release b in shop: give it another name/,
  ],
  "a field of another release's object": [
    { options: { force: true, takeOwnership: true } },
    { ...conflict, annotations: ofB },
    /\.spec\.replicas belongs to hpa: leave the field out, for release b in shop owns the object/,
  ],
  "a hook in the place of another release's object": [
    { release: webRelease, desired: [hook("Deployment", "web", { upgrade: ["pre"] })], options: { takeOwnership: true } },
    { annotations: ofB },
    /belongs to release b in shop/,
  ],
  "an object with ownership anyone that another release has created": [
    { release: webRelease, desired: [item("Deployment", "web", { ownership: "anyone" })] },
    { annotations: ofB, dryRun: { outcome: "unchanged" } },
    undefined,
  ],
  "an object with ownership anyone that another release has created differently": [
    { release: webRelease, desired: [item("Deployment", "web", { ownership: "anyone" })] },
    { annotations: ofB },
    /belongs to release b in shop/,
  ],
  "an immutable field": [{ release: webRelease }, immutable, /field is immutable: .*before-creation-if-immutable/],
  "an immutable field of a claim, with what is lost and the safe way first,": [
    { release: webRelease, desired: [claim] },
    { ...immutable },
    /field is immutable: leave the field as it is, or copy the data to a claim of another name; .*before-creation-if-immutable replaces the object, and all data of the claim is lost$/,
  ],
  "an immutable field of a claim in a rollback": [
    { release: webRelease, desired: [claim], operation: "rollback" },
    { ...immutable },
    /: deploy the earlier manifests with this field as it is now, or copy the data .*; this command works after the object is deleted, and all data of the claim is lost$/,
  ],
  "a refusal": [{ release: webRelease }, { dryRun: { outcome: "refused", because: "exceeded quota" } }, /exceeded quota/],
};

for (const [what, [input, facts, message]] of Object.entries(refusals)) {
  test(`${what} is ${message === undefined ? "taken" : "refused"}`, () => {
    const result = buildPlan({ operation: "upgrade", desired: [web], live: new Map(existing(input.desired ?? [web], facts)), ...input });
    if (message === undefined) assert.ok("plan" in result);
    else assert.match("problems" in result ? result.problems.map((problem) => problem.message).join() : "", message);
  });
}

test("an immutable change replaces an object whose delete policy allows it", () => {
  const job = item("Job", "j", { deletePolicies: ["before-creation-if-immutable"] });
  assert.equal(arrows(planned({ desired: [job], live: new Map(existing([job], immutable)) }))[0], "replace j");
  assert.equal(arrows(planned({ desired: [job], live: new Map(existing([job])) }))[0], "apply j");
});
