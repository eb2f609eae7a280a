import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { hook, item, need, planned, webRelease, existing } from "../../../test/support/plan/plan-notation.ts";
import type { Plan } from "../plan/index.ts";
import { waitChainsFrom, why, type WaitExplanation, type RolloutStatus } from "./index.ts";
import { rolloutStatusOf, type ObjectWords } from "../../../test/support/why/rollout-status.ts";

/** `app < migrate < db: no node`: each waits for the next; the reason is that of the last. */
function chains(account: WaitExplanation, name: string): string[] {
  const ids = account.waiting.filter(({ ref }) => ref.name === name).map(({ id }) => id);
  return ids.flatMap((id) =>
    waitChainsFrom(account, id).map((chain) => `${chain.map(({ ref }) => ref.name).join(" < ")}: ${chain.at(-1)!.because}`),
  );
}

/** All waiting objects in order: `db`, `app < db`. */
function waits({ waiting }: WaitExplanation): string[] {
  const nameOf = new Map(waiting.map(({ id, ref }) => [id, ref.name]));
  return waiting.map(({ ref, waitsFor }) => [ref.name, waitsFor.map(({ on }) => nameOf.get(on)).join(" ")].filter(Boolean).join(" < "));
}

const ranked = [item("StatefulSet", "db", { rank: -2 }), item("Job", "migrate", { rank: -1 }), item("Deployment", "app")];
const stack = planned({ release: webRelease, desired: ranked });

type Case = readonly [title: string, plan: Plan, words: ObjectWords, expected: readonly string[], more?: Partial<RolloutStatus>];

const outside = need("Secret", "vault", { external: true, target: { version: "v1", kind: "Secret", namespace: "ops", name: "vault" } });
const cases: readonly Case[] = [
  ["all is ready", stack, {}, []],
  ["ranks wait for the one before", stack, { db: "no node", migrate: "missing", app: "missing" }, ["db", "migrate < db", "app < migrate"]],
  ["what is applied stands for itself", stack, { db: "no node", migrate: "0 of 1 completions", app: "0 of 1" }, ["db", "migrate", "app"]],
  ["a completed object does not hide what it waited for", stack, { db: "no node", app: "old" }, ["db", "app < db"]],
  ["a release that was deployed waits for nothing", stack, { db: "no node", app: "missing" }, ["db", "app"], { state: "deployed" }],
  [
    "one that failed waits for what failed",
    stack,
    { db: "!no node", migrate: "missing", app: "missing" },
    ["db", "migrate < db", "app < migrate"],
    { state: "failed" },
  ],
  [
    "what is needed by name",
    planned({
      release: webRelease,
      desired: [item("Job", "a"), item("Job", "b"), item("Deployment", "app", { unranked: true, needs: [need("Job", "b")] })],
    }),
    { a: "running", b: "running", app: "missing" },
    ["a", "b", "app < b"],
  ],
  [
    "the order of kinds holds up nothing",
    planned({ release: webRelease, desired: [item("Service", "svc"), item("Deployment", "app")] }),
    { svc: "missing", app: "missing" },
    ["svc", "app"],
  ],
  [
    "what is outside, and the rank before it",
    planned({
      release: webRelease,
      desired: [item("Job", "first", { rank: -1 }), item("Deployment", "app", { needs: [outside] }), item("Deployment", "other")],
    }),
    { first: "running", vault: "missing", app: "missing", other: "missing" },
    ["first", "vault", "app < vault first", "other < vault first"],
  ],
  [
    "an external object that is ready hides nothing",
    planned({ release: webRelease, desired: [item("Job", "first", { rank: -1 }), item("Deployment", "app", { needs: [outside] })] }),
    { first: "running", app: "missing" },
    ["first", "app < first"],
  ],
  [
    "hooks go one by one, and main waits for them",
    planned({
      release: webRelease,
      operation: "upgrade",
      desired: [hook("Job", "h1", { upgrade: ["pre"] }), hook("Job", "h2", { upgrade: ["pre"] }), item("Deployment", "app")],
    }),
    { h1: "running", h2: "missing", app: "missing" },
    ["h1", "h2 < h1", "app < h2"],
  ],
  [
    "a hook that succeeded and is to go is no reason",
    planned({
      release: webRelease,
      operation: "upgrade",
      desired: [hook("Job", "h1", { upgrade: ["pre"] }, { deletePolicies: ["succeeded"] }), item("Deployment", "app")],
    }),
    { app: "0 of 1" },
    ["app"],
  ],
  [
    "what left the release goes after main, and its finalizer is the reason",
    planned({
      release: webRelease,
      operation: "upgrade",
      desired: [item("Deployment", "app")],
      previous: [item("ConfigMap", "old")],
      live: new Map(existing([item("ConfigMap", "old")])),
    }),
    { old: "being deleted, kept by the finalizers x/y" },
    ["old"],
  ],
  [
    "what is to go waits for main",
    planned({
      release: webRelease,
      operation: "upgrade",
      desired: [item("Deployment", "app")],
      previous: [item("ConfigMap", "old")],
      live: new Map(existing([item("ConfigMap", "old")])),
    }),
    { app: "0 of 1", old: "there" },
    ["app", "old < app"],
  ],
  [
    "a deletion goes backwards",
    planned({ release: webRelease, operation: "delete", desired: [], previous: ranked, live: new Map(existing(ranked)) }),
    { app: "being deleted, kept by the finalizers x/y", migrate: "there", db: "there" },
    ["app", "migrate < app", "db < migrate"],
    { state: "uninstalling" },
  ],
];

for (const [title, plan, words, expected, more] of cases) {
  test(title, () => assert.deepEqual(waits(why(rolloutStatusOf(plan, words, more))), expected));
}

test("a chain goes down to the first cause, and names all between", () => {
  const account = why(rolloutStatusOf(stack, { db: "pod db-0 cannot be scheduled", migrate: "missing", app: "missing" }));
  assert.deepEqual(chains(account, "app"), ["app < migrate < db: pod db-0 cannot be scheduled"]);
});

test("there is a chain to every first cause", () => {
  const desired = [item("Job", "a", { rank: -1 }), item("Job", "b", { rank: -1 }), item("Deployment", "app")];
  const account = why(rolloutStatusOf(planned({ release: webRelease, desired }), { a: "x", b: "y", app: "missing" }));
  assert.deepEqual(chains(account, "app").toSorted(), ["app < a: x", "app < b: y"]);
});

test("what failed is explained by what the record says of it", () => {
  const words = { db: "missing", migrate: "missing", app: "missing" };
  const because = (more: Partial<RolloutStatus>) => why(rolloutStatusOf(stack, words, more)).waiting[0]!.because;
  const description = 'Upgrade "web" failed: statefulset/db: .spec.nope: field not declared in schema';
  assert.equal(
    because({ state: "failed", description }),
    "it does not exist, for it failed: .spec.nope: field not declared in schema; deploy the release again",
  );
  const plain = "it does not exist; deploy the release again";
  assert.equal(because({ state: "failed", description: 'Upgrade "web" failed: job/migrate: exit code 3' }), plain);
  assert.equal(because({ state: "failed", description: 'Upgrade "web" failed: statefulset/db2: x' }), plain);
  assert.equal(because({ state: "deployed", description }), plain);
});

test("a step that nothing blocks is explained by the Lease holder", () => {
  const words = { db: "missing", migrate: "missing", app: "missing" };
  const because = (more: Partial<RolloutStatus>) => why(rolloutStatusOf(stack, words, more)).waiting[0]!.because;
  const holder = { name: "somebody", since: "2026-01-01T00:00:00Z", heardOf: "2026-01-01T00:00:05Z", silent: false };
  assert.equal(because({ holder }), "it does not exist; it is its turn");
  const idle = "it does not exist; the same command carries it on";
  assert.equal(because({}), idle);
  assert.equal(because({ holder: { ...holder, silent: true } }), idle);
  assert.equal(because({ state: "deployed" }), "it does not exist; deploy the release again");
});

test("many-to-many needs share one list", () => {
  const desired = Array.from({ length: 200 }, (_, at) => item("Deployment", `o${at}`, { rank: Math.floor(at / 20) }));
  const words = Object.fromEntries(desired.map(({ ref }, at) => [ref.name, at < 20 ? "slow" : "missing"]));
  const { waiting } = why(rolloutStatusOf(planned({ release: webRelease, desired }), words));
  assert.equal(waiting.length, 200);
  assert.equal(new Set(waiting.filter((each) => each.waitsFor.length > 0).map((each) => each.waitsFor)).size, 9);
});

test("an explanation survives JSON", () => {
  const account = why(rolloutStatusOf(stack, { db: "no node", migrate: "missing", app: "missing" }));
  assert.deepEqual(JSON.parse(JSON.stringify(account)), account);
});

test("whatever the statuses: all waiting objects are listed, causes first, and every chain ends in one", () => {
  const word = fc.constantFrom("ready", "missing", "old", "slow", "!broken");
  const rank = fc.integer({ min: -2, max: 2 });
  const member = fc.record({ kind: fc.constantFrom("Job", "Deployment", "ConfigMap"), rank, word, on: fc.nat(), outside: fc.boolean() });
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 12 }), (members) => {
      const desired = members.map(({ kind, rank: at, on, outside: isOutside }, index) => {
        const earlier = on % (index + 1);
        const needs = [...(isOutside ? [outside] : []), ...(earlier < index ? [need(members[earlier]!.kind, `o${earlier}`)] : [])];
        return item(kind, `o${index}`, { rank: at, unranked: earlier < index, needs });
      });
      const words = { ...Object.fromEntries(members.map((each, index) => [`o${index}`, each.word])), vault: members[0]!.word };
      const account = why(rolloutStatusOf(planned({ release: webRelease, desired }), words));
      const place = new Map(account.waiting.map(({ id }, at) => [id, at]));
      for (const [at, { id, waitsFor }] of account.waiting.entries()) {
        for (const { on } of waitsFor) assert.ok(place.get(on)! < at, `${id} waits for ${on}, which is not listed before it`);
        assert.ok(waitChainsFrom(account, id).length > 0);
        for (const chain of waitChainsFrom(account, id)) assert.deepEqual(chain.at(-1)!.waitsFor, []);
      }
      for (const [index, { word: said }] of members.entries())
        assert.equal(
          account.waiting.some(({ ref }) => ref.name === `o${index}`),
          said !== "ready",
          `o${index} is ${said}`,
        );
    }),
  );
});
