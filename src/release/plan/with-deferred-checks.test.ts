import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf, titleOf } from "../../core/object/index.ts";
import { existing, hook, item, need, webRelease } from "../../../test/support/plan/plan-notation.ts";
import type { Cure } from "../refusal/index.ts";
import type { Ordered } from "../order/index.ts";
import { buildPlan, type DesiredManifest, type LiveFacts, type PlanInput } from "./index.ts";

type Desired = Ordered<DesiredManifest>;

const robot: Cure = { by: "object", group: "", kind: "ServiceAccount", namespace: "shop", name: "robot" };
const refused = (...cures: readonly Cure[]): LiveFacts => ({
  exists: false,
  dryRun: { outcome: "refused", because: "no robot", cures },
});
const facts = (...entries: readonly (readonly [Desired, LiveFacts])[]) =>
  new Map(entries.map(([{ ref }, fact]) => [keyOf(ref), fact] as const));
const absent: LiveFacts = { exists: false, dryRun: { outcome: "created" } };

/** The deferred checks as `pod/p after serviceaccount/robot`, or the problems. */
function checksIn(input: Omit<PlanInput, "operation"> & Partial<PlanInput>): readonly string[] {
  const result = buildPlan({ operation: "upgrade", release: webRelease, ...input });
  if ("problems" in result) return result.problems.map(({ message }) => `! ${message}`);
  return result.plan.steps.flatMap(({ action }) =>
    action.verb === "apply" && action.deferred !== undefined
      ? [`${action.change} ${titleOf(action.ref)} after ${action.deferred.after.map(titleOf).join()}: ${action.deferred.because}`]
      : [],
  );
}

const account = item("ServiceAccount", "robot");
const pod = item("Pod", "p", { needs: [need("ServiceAccount", "robot", { gate: { until: "applied" }, implied: true })] });

test("a check waits for an earlier step that may cure it", () => {
  const live = facts([account, absent], [pod, refused(robot)]);
  assert.deepEqual(checksIn({ desired: [account, pod], live }), ["created pod/p after serviceaccount/robot: no robot"]);
});

test("what nothing in the plan cures is a problem, and so is what comes too late, with the remedy", () => {
  assert.deepEqual(checksIn({ desired: [pod], live: facts([pod, refused(robot)]) }), ["! pod/p: no robot"]);
  assert.deepEqual(checksIn({ desired: [pod], live: facts([pod, refused()]) }), ["! pod/p: no robot"]);
  const late = item("ServiceAccount", "robot", { rank: 1 });
  const [problem] = checksIn({ desired: [pod, late], live: facts([late, absent], [pod, refused(robot)]) });
  assert.match(
    problem!,
    /^! pod\/p: no robot: serviceaccount\/robot comes later and may cure it: give it an earlier place \(werf\.io\/weight\)/,
  );
  const early = hook("Pod", "p", { upgrade: ["pre"] });
  assert.match(checksIn({ desired: [early, account], live: facts([account, absent], [early, refused(robot)]) }).join(), /comes later/);
});

test("what an earlier step leaves as it is cures nothing", () => {
  const live = new Map([...existing([account], { dryRun: { outcome: "unchanged" }, ready: true }), ...facts([pod, refused(robot)])]);
  assert.deepEqual(checksIn({ desired: [account, pod], live }), ["! pod/p: no robot"]);
});

test("all problems are told at once, and a cure with a problem of its own still counts", () => {
  const bad = item("Secret", "bad");
  const live = facts([account, refused()], [bad, refused({ ...robot, name: "nobody" })], [pod, refused(robot)]);
  assert.deepEqual(checksIn({ desired: [account, bad, pod], live }), ["! serviceaccount/robot: no robot", "! secret/bad: no robot"]);
});

test("a deletion before the main resources may cure, one after them may not", () => {
  const quota: Cure = { by: "deletion", namespace: "shop" };
  const late = item("Pod", "old");
  const early = item("Pod", "old", { remove: "before" });
  const live = new Map([...existing([late]), ...facts([pod, refused(quota)])]);
  assert.deepEqual(checksIn({ desired: [pod], previous: [early], live }), ["created pod/p after pod/old: no robot"]);
  assert.match(checksIn({ desired: [pod], previous: [late], live }).join(), /pod\/old comes later .*sluice\.dev\/remove: before/);
});

test("what goes with its namespace is created again, whatever it is now", () => {
  const namespace = item("Namespace", "shop", { ownership: "anyone" });
  const map = item("ConfigMap", "m", { needs: [need("Namespace", "shop", { implied: true })] });
  const live = new Map([
    ...existing([namespace], { deleting: true }),
    ...existing([map], { dryRun: { outcome: "unchanged" }, ready: true }),
  ]);
  assert.deepEqual(checksIn({ desired: [namespace, map], live }), [
    "created configmap/m after namespace/shop: it goes with its namespace or definition",
  ]);
});

const crd = item(
  "CustomResourceDefinition",
  "foos.example.com",
  { stage: "crds", stages: { upgrade: ["crds"] } },
  {
    spec: { group: "example.com", names: { kind: "Foo" } },
  },
);
const foo = item(
  "Foo",
  "f",
  { needs: [need("CustomResourceDefinition", "foos.example.com", { implied: true })] },
  { apiVersion: "example.com/v1" },
);
const definition: Cure = { by: "definition", group: "example.com", kind: "Foo" };

test("what goes with its definition is created again", () => {
  const replaced = { ...crd, constraints: { ...crd.constraints, deletePolicies: ["before-creation"] as const } };
  const live = new Map([...existing([crd]), ...existing([foo], { dryRun: { outcome: "unchanged" }, ready: true })]);
  assert.match(checksIn({ desired: [replaced, foo], live }).join(), /^created foo\/f after customresourcedefinition\/foos\.example\.com/);
});

test("a field that cannot be changed in place may become changeable with the definition", () => {
  const immutable = { outcome: "immutable", because: "field is immutable", cures: [definition] } as const;
  const live = new Map([...existing([crd]), ...existing([foo], { dryRun: immutable })]);
  assert.match(
    checksIn({ desired: [crd, foo], live }).join(),
    /^updated foo\/f after customresourcedefinition\/foos\.example\.com: field is immutable/,
  );
  const same = new Map([...live, ...existing([crd], { dryRun: { outcome: "unchanged" }, ready: true })]);
  assert.match(checksIn({ desired: [crd, foo], live: same }).join(), /^! foo\/f: field is immutable: leave the field/);
});

test("what cannot be dry-run before its kind is served waits for the definition", () => {
  assert.deepEqual(checksIn({ desired: [crd, foo], live: facts([crd, absent]) }), [
    "created foo/f after customresourcedefinition/foos.example.com: its kind or its namespace is not there yet",
  ]);
});

test("a thousand refusals that a thousand deletions may cure name ten each", () => {
  const pods = Array.from({ length: 1000 }, (_, at) => item("Pod", `p${at}`));
  const gone = Array.from({ length: 1000 }, (_, at) => item("Pod", `old${at}`, { remove: "before" }));
  const live = new Map([
    ...existing(gone),
    ...facts(...pods.map((each) => [each, refused({ by: "deletion", namespace: "shop" })] as const)),
  ]);
  const checks = checksIn({ desired: pods, previous: gone, live });
  assert.equal(checks.length, 1000);
  assert.equal(checks[0]?.match(/pod\/old/g)?.length, 10);
});
