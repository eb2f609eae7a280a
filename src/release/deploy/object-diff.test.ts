import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf, titleOf, type KubeObject } from "../../core/object/index.ts";
import type { Ordered } from "../order/index.ts";
import { hook, item, planned, webRelease, existing } from "../../../test/support/plan/plan-notation.ts";
import type { LiveFacts, Plan, PlanInput, DryRunResult, DesiredManifest } from "../plan/index.ts";
import type { Release } from "../record/index.ts";
import { objectDiffs, concealedPlan, type PlannedObject } from "./index.ts";

type Case = {
  readonly plan: Plan;
  readonly objects: readonly PlannedObject[];
  readonly release: Release;
  readonly createsNamespace: boolean;
  readonly revision: { readonly manifest: string; readonly hooks: readonly []; readonly namespace: string };
};

const noManifests = { manifest: "", hooks: [], namespace: webRelease.namespace } as const;

/** An upgrade from live to desired objects, with the given dry-run results. */
function upgrade(
  desired: readonly Ordered<DesiredManifest>[],
  live: readonly Ordered<DesiredManifest>[],
  more: Partial<PlanInput> & { verdict?: DryRunResult } = {},
): Case {
  const { verdict: dryRun = { outcome: "updated" }, ...input } = more;
  const facts: ReadonlyMap<string, LiveFacts> = new Map(existing(live, { dryRun }));
  const plan = planned({ operation: "upgrade", release: webRelease, desired, previous: live, live: facts, ...input });
  const known = new Map(live.map(({ ref, item: { object } }) => [keyOf(ref), object]));
  const objects = [...new Map([...live, ...desired].map((each) => [keyOf(each.ref), each])).values()].map(
    ({ ref, constraints, item: { object } }) => {
      const found = known.get(keyOf(ref));
      const next = dryRun.outcome === "immutable" ? undefined : object;
      return {
        ref,
        sensitive: constraints.sensitive,
        ...(found === undefined ? {} : { live: found }),
        ...(next === undefined ? {} : { next }),
      };
    },
  );
  return { plan, objects, release: webRelease, createsNamespace: false, revision: noManifests };
}

const configMap = (name: string, value: string) => item("ConfigMap", name, {}, { data: { value } });

function outline(given: Case): readonly string[] {
  return objectDiffs(given).map(
    ({ ref, change, before, after }) => `${change} ${titleOf(ref)} ${contentText(before)} ${contentText(after)}`,
  );
}

function contentText(object: KubeObject | undefined): string {
  return object === undefined ? "-" : JSON.stringify(object["data"] ?? object["spec"] ?? {});
}

const running = item("Deployment", "x", {}, { spec: { a: 1, b: { c: 1, d: 2 }, list: [{ e: 1, f: 1 }, 2], g: 0 } });
const wanted = item(
  "Deployment",
  "x",
  { deletePolicies: ["before-creation-if-immutable"] },
  { spec: { a: 2, b: { c: 1 }, list: [{ e: 1 }] } },
);
const cleaned = hook("ConfigMap", "h", { upgrade: ["pre"] }, { deletePolicies: ["before-creation", "succeeded"] });
const twice = hook("ConfigMap", "h", { upgrade: ["pre", "post"] });

const cases: Readonly<Record<string, readonly [Case, readonly string[]]>> = {
  "what is new is its manifest": [upgrade([configMap("a", "1")], []), ['created configmap/a - {"value":"1"}']],
  "what changes is what is there and what a dry run makes of it": [
    upgrade([configMap("a", "2")], [configMap("a", "1")]),
    ['updated configmap/a {"value":"1"} {"value":"2"}'],
  ],
  "an unchanged object has no diff": [upgrade([configMap("a", "1")], [configMap("a", "1")], { verdict: { outcome: "unchanged" } }), []],
  "what leaves is deleted": [upgrade([], [configMap("a", "1")]), ['deleted configmap/a {"value":"1"} -']],
  "what is replaced is compared as far as its manifest speaks": [
    upgrade([wanted], [running], { verdict: { outcome: "immutable", because: "field is immutable" } }),
    ['recreated deployment/x {"a":1,"b":{"c":1},"list":[{"e":1},2]} {"a":2,"b":{"c":1},"list":[{"e":1}]}'],
  ],
  "what is cleaned up afterwards is created": [upgrade([cleaned], []), ["created configmap/h - {}"]],
  "an object with two steps has one diff": [upgrade([twice], []), ["created configmap/h - {}"]],
  "the namespace that is made for it is new": [
    { ...upgrade([configMap("a", "1")], []), createsNamespace: true },
    ["created namespace/shop - {}", 'created configmap/a - {"value":"1"}'],
  ],
  "a namespace among the manifests has one diff": [
    { ...upgrade([item("Namespace", "shop")], []), createsNamespace: true },
    ["created namespace/shop - {}"],
  ],
  "a volume claim that left is kept and has no diff": [upgrade([], [item("PersistentVolumeClaim", "p")]), []],
};

for (const [what, [given, expected]] of Object.entries(cases)) test(what, () => assert.deepEqual(outline(given), expected));

test("what a version calls sensitive is hidden, before and after, and in the plan", () => {
  const open = item("ConfigMap", "a", {}, { data: { token: "one" } });
  const { objects, ...given } = upgrade([item("ConfigMap", "a", {}, { data: { token: "two" } })], [open]);
  const hiding = { ...given, objects: objects.map((planned) => ({ ...planned, sensitive: { whole: false, paths: ["$.data.token"] } })) };
  assert.deepEqual(outline(hiding), ['updated configmap/a {"token":"(hidden)"} {"token":"(hidden, changed)"}']);
  assert.doesNotMatch(JSON.stringify(concealedPlan(hiding)), /one|two/);
});
