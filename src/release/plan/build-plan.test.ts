import assert from "node:assert/strict";
import { test } from "node:test";
import { arrows, hook, item, need, planned, webRelease, existing } from "../../../test/support/plan/plan-notation.ts";
import { changesNothing, buildPlan, type PlanInput } from "./index.ts";

type Case = { readonly input: Partial<PlanInput> & Pick<PlanInput, "desired">; readonly arrows: readonly string[] };

const applied = { gates: [{ until: "applied" }] } as const;
const completed = { gates: [{ until: "completed" }] } as const;
const outside = need("Secret", "s", {
  external: true,
  because: "s.external-dependency.werf.io/resource",
  target: { resource: "secrets", name: "s" },
});

const cases: Readonly<Record<string, Case>> = {
  "werf's weights: a group waits for the one before to be ready": {
    input: {
      desired: [
        item("StatefulSet", "db", { rank: -1 }),
        item("Job", "migrate", completed),
        item("Deployment", "a", { rank: 1 }),
        item("Deployment", "b", { rank: 1 }),
      ],
    },
    arrows: [
      "apply db",
      "await db < apply db",
      "apply migrate < await db",
      "await migrate < apply migrate",
      "apply a < await migrate",
      "await a < apply a",
      "apply b < await migrate",
      "await b < apply b",
    ],
  },
  "kinds of a rank are applied one after the other, whether or not the one before succeeds": {
    input: { desired: [item("ConfigMap", "c"), item("Deployment", "web")] },
    arrows: ["apply c", "await c < apply c", "apply web < ~apply c", "await web < apply web"],
  },
  "deploy dependencies leave the ranks: only their dependents wait": {
    input: {
      desired: [
        item("StatefulSet", "db"),
        item("Job", "migrate", { ...completed, unranked: true, needs: [need("StatefulSet", "db")] }),
        item("Deployment", "web", { rank: 1 }),
      ],
    },
    arrows: [
      "apply db",
      "await db < apply db",
      "apply migrate < await db",
      "await migrate < apply migrate",
      "apply web < await db",
      "await web < apply web",
    ],
  },
  "what one of a rank needs from outside holds back the whole rank, once": {
    input: {
      desired: [
        item("ConfigMap", "first", { rank: -1 }),
        item("Deployment", "a", { needs: [outside] }),
        item("Deployment", "b", { needs: [outside] }),
        item("Deployment", "c"),
      ],
      release: webRelease,
    },
    arrows: [
      "record pending-install",
      "apply first < record pending-install",
      "await first < apply first",
      "await s < await first",
      "apply a < await s",
      "await a < apply a",
      "apply b < await s",
      "await b < apply b",
      "apply c < await s",
      "await c < apply c",
      "record deployed < await a, await b, await c",
      "record failed < ~record deployed if record deployed unfinished",
    ],
  },
  "KOTS' phases wait for applying alone, and a barrier holds back all after it; the end waits for ready all the same": {
    input: {
      desired: [
        item("ConfigMap", "a", { ...applied, rank: -1 }),
        item("Deployment", "k", { gates: [{ until: "kots-ready" }], barrier: true }),
        item("Deployment", "l", applied),
        item("Deployment", "m", { ...applied, rank: 2 }),
      ],
    },
    arrows: [
      "apply a",
      "apply k < apply a",
      "await k < apply k",
      "apply l < apply a, await k, ~apply k",
      "await a ready < apply a",
      "await k ready < apply k",
      "await l ready < apply l",
      "apply m < apply l, await k",
      "await m ready < apply m",
    ],
  },
  "hooks run one at a time by weight and name; those that succeeded go in reverse when all are over": {
    input: {
      desired: [
        hook("Job", "second", { install: ["pre"] }, { deletePolicies: ["before-creation", "succeeded"] }),
        hook("ServiceAccount", "first", { install: ["pre"] }, { deletePolicies: ["succeeded"] }),
        hook("Job", "upgrades", { upgrade: ["pre"] }),
        item("Deployment", "web"),
      ],
    },
    arrows: [
      "apply first",
      "await first < apply first",
      "replace second < await first",
      "await second < replace second",
      "delete second < ~await first, ~await second if await second finished",
      "gone second < delete second if await second finished",
      "delete first < ~gone second if await first finished",
      "gone first < delete first if await first finished",
      "apply web < await second, gone first, gone second",
      "await web < apply web",
    ],
  },
  "a hook of two stages runs twice, and hooks that ran are not run again": {
    input: {
      desired: [hook("Job", "twice", { install: ["pre", "post"] }), hook("Job", "done", { install: ["pre"] }), item("ConfigMap", "c")],
      hooksDone: new Set(["pre/batch/Job/shop/done"]),
      release: webRelease,
    },
    arrows: [
      "record pending-install",
      "replace twice < record pending-install",
      "await twice < replace twice",
      "record pending-install twice < await twice",
      "apply c < record pending-install twice",
      "await c < apply c",
      "replace twice < await c",
      "await twice < replace twice",
      "record pending-install twice < await twice",
      "record deployed < record pending-install twice",
      "record failed < ~record deployed if record deployed unfinished",
    ],
  },
  "a hook that is there when its revision is carried on has run for it: that is noted": {
    input: {
      desired: [hook("Job", "there", { install: ["pre"] }, { deletePolicies: [] }), item("ConfigMap", "c")],
      live: new Map(existing([hook("Job", "there", { install: ["pre"] })], { dryRun: { outcome: "unchanged" }, ready: true })),
      hooksDone: new Set(),
      release: webRelease,
    },
    arrows: [
      "record pending-install",
      "record pending-install there < record pending-install",
      "apply c < record pending-install there",
      "await c < apply c",
      "record deployed < await c",
      "record failed < ~record deployed if record deployed unfinished",
    ],
  },
  "of what is as it should be nothing has failed, and nothing goes for that": {
    input: {
      desired: [item("Job", "stays", { deletePolicies: ["failed"] }), item("Job", "goes", { deletePolicies: ["succeeded"] })],
      live: new Map(existing([item("Job", "stays"), item("Job", "goes")], { dryRun: { outcome: "unchanged" }, ready: true })),
    },
    arrows: ["delete goes", "gone goes < delete goes"],
  },
  "Helm's manner: post hooks do not wait for the main resources": {
    input: { desired: [item("Deployment", "web"), hook("Job", "after", { install: ["post"] })], options: { wait: "hooks" } },
    arrows: ["apply web", "replace after < apply web", "await after < replace after"],
  },
  "wait none: gates stay, the end does not wait": {
    input: {
      desired: [item("Deployment", "db", { rank: -1 }), item("Deployment", "web"), hook("Job", "after", { install: ["post"] })],
      options: { wait: "none" },
    },
    arrows: ["apply db", "await db < apply db", "apply web < await db", "replace after < apply db, apply web"],
  },
  "what has not changed is not applied, and waited for only while it is not ready": {
    input: {
      operation: "upgrade",
      desired: [item("Deployment", "ready", { rank: -1 }), item("Deployment", "starting"), item("Deployment", "next", { rank: 1 })],
      live: new Map([
        ...existing([item("Deployment", "ready")], { dryRun: { outcome: "unchanged" }, ready: true }),
        ...existing([item("Deployment", "starting")], { dryRun: { outcome: "unchanged" }, ready: false }),
      ]),
    },
    arrows: ["await starting", "apply next < await starting", "await next < apply next"],
  },
  "what left the release goes after main and before post hooks, in reverse; what was needed goes last": {
    input: {
      operation: "upgrade",
      release: webRelease,
      desired: [item("Deployment", "web"), hook("Job", "after", { upgrade: ["post"] })],
      previous: [
        item("ConfigMap", "config"),
        item("Deployment", "old", { needs: [need("ConfigMap", "config", { implied: true, gate: { until: "applied" } })] }),
        item("ConfigMap", "late", { rank: 1 }),
        item("Deployment", "web"),
      ],
      live: new Map(
        existing([item("ConfigMap", "config"), item("Deployment", "old"), item("ConfigMap", "late"), item("Deployment", "web")]),
      ),
    },
    arrows: [
      "record pending-upgrade",
      "apply web < record pending-upgrade",
      "await web < apply web",
      "delete late < await web",
      "gone late < delete late",
      "delete old < gone late",
      "gone old < delete old",
      "delete config < gone late, gone old, ~delete old",
      "gone config < delete config",
      "replace after < gone config, gone old",
      "await after < replace after",
      "record pending-upgrade after < await after",
      "record deployed < record pending-upgrade after",
      "record failed < ~record deployed if record deployed unfinished",
    ],
  },
  "objects that say so, or whose absence is needed, are pruned before main": {
    input: {
      operation: "upgrade",
      release: webRelease,
      desired: [item("Deployment", "web", { needs: [need("Job", "lock", { gate: { until: "absent" } })] })],
      previous: [item("ConfigMap", "early", { remove: "before" }), item("Job", "lock"), item("Service", "late")],
      live: new Map(existing([item("ConfigMap", "early"), item("Job", "lock"), item("Service", "late")])),
    },
    arrows: [
      "record pending-upgrade",
      "delete lock < record pending-upgrade",
      "gone lock < delete lock",
      "delete early < record pending-upgrade, ~delete lock",
      "gone early < delete early",
      "apply web < gone early, gone lock",
      "await web < apply web",
      "delete late < await web",
      "gone late < delete late",
      "record deployed < gone late",
      "record failed < ~record deployed if record deployed unfinished",
    ],
  },
  "without phases the objects of one kind are deleted at once, the requests in the reverse of creation": {
    input: {
      operation: "delete",
      release: webRelease,
      desired: [],
      previous: [item("ConfigMap", "a"), item("ConfigMap", "b")],
      live: new Map(existing([item("ConfigMap", "a"), item("ConfigMap", "b")])),
    },
    arrows: [
      "record uninstalling",
      "delete b < record uninstalling",
      "gone b < delete b",
      "delete a < record uninstalling",
      "gone a < delete a",
      "record uninstalled < gone a, gone b",
    ],
  },
  "deleting goes by phase, and in a phase in reverse": {
    input: {
      operation: "delete",
      release: webRelease,
      desired: [hook("Job", "bye", { delete: ["pre"] })],
      previous: [
        item("ConfigMap", "last", { deletion: { phase: 5, needs: [] } }),
        item("ConfigMap", "a"),
        item("Deployment", "b", { rank: 3 }),
      ],
      live: new Map(existing([item("ConfigMap", "last"), item("ConfigMap", "a"), item("Deployment", "b")])),
    },
    arrows: [
      "record uninstalling",
      "replace bye < record uninstalling",
      "await bye < replace bye",
      "record uninstalling bye < await bye",
      "delete b < record uninstalling bye",
      "gone b < delete b",
      "delete a < record uninstalling bye, ~delete b",
      "gone a < delete a",
      "delete last < gone a, gone b",
      "gone last < delete last",
      "record uninstalled < gone last",
    ],
  },
};

for (const [what, { input, arrows: expected }] of Object.entries(cases)) {
  test(what, () => assert.deepEqual(arrows(planned(input)), expected));
}

test("a plan survives JSON", () => {
  for (const { input } of Object.values(cases)) {
    const made = planned(input);
    assert.deepEqual(JSON.parse(JSON.stringify(made)), made);
  }
});

test("ids name the action, the place and the object", () => {
  const { steps } = planned({ desired: [item("Deployment", "web")] });
  assert.deepEqual(
    steps.map(({ id }) => id),
    ["apply/main/0/apps/Deployment/shop/web", "await/main/0/apps/Deployment/shop/web"],
  );
});

test("CRDs are ready before pre hooks, and their custom resources wait until the kind is served", () => {
  const crd = item(
    "CustomResourceDefinition",
    "widgets.example.com",
    { stage: "crds" },
    { spec: { group: "example.com", names: { kind: "Widget" } } },
  );
  const widget = item("Widget", "w", {}, { apiVersion: "example.com/v1" });
  const made = planned({ desired: [hook("Job", "before", { install: ["pre"] }), widget, crd] });
  assert.deepEqual(arrows(made).slice(0, 3), [
    "apply widgets.example.com",
    "await widgets.example.com < apply widgets.example.com",
    "replace before < await widgets.example.com",
  ]);
  const waits = made.steps.flatMap(({ action }) => (action.verb === "apply" ? [`${action.ref.name} ${action.waitForKind}`] : []));
  assert.deepEqual(waits, ["widgets.example.com false", "before false", "w true"]);
});

const web = item("Deployment", "web");
const because = (name: string) => ({ because: `werf.io/deploy-dependency-${name}` });

test("needs all the way round are named with what asks for them", () => {
  const result = buildPlan({
    operation: "install",
    desired: [
      item("Deployment", "a", { unranked: true, needs: [need("Deployment", "b", because("b"))] }),
      item("Deployment", "b", { unranked: true, needs: [need("Deployment", "a", because("a"))] }),
    ],
  });
  assert.match(
    "problems" in result ? result.problems[0]!.message : "",
    /deployment\/a waits for deployment\/b \(werf\.io\/deploy-dependency-b\)/,
  );
});

test("an implied need is dropped where it closes a cycle", () => {
  const made = planned({
    desired: [
      item("Deployment", "a", { needs: [need("Deployment", "b", { implied: true, gate: { until: "applied" } })] }),
      item("Deployment", "b", { unranked: true, needs: [need("Deployment", "a")] }),
    ],
  });
  assert.deepEqual(arrows(made), ["apply a", "await a < apply a", "apply b < await a", "await b < apply b"]);
});

const unchanged = (ready: boolean) =>
  planned({ desired: [web], release: webRelease, live: new Map(existing([web], { dryRun: { outcome: "unchanged" }, ready })) });

test("a plan that changes nothing may still wait", () => {
  assert.equal(changesNothing(unchanged(true)), true);
  assert.equal(changesNothing(unchanged(false)), true);
  assert.equal(changesNothing(planned({ desired: [web], release: webRelease })), false);
});

test("a written gate is waited for together with readiness at the end", () => {
  const properties = [{ path: ".status.n", value: "1" }];
  const { steps } = planned({ desired: [item("Widget", "w", { gates: [{ until: "properties", properties }] })] });
  const [wait] = steps.flatMap(({ action }) => (action.verb === "await" ? [action] : []));
  assert.deepEqual(wait?.gates, [{ until: "properties", properties }, { until: "ready" }]);
});
