import assert from "node:assert/strict";
import { test } from "node:test";
import type { WaitExplanation, WaitingObject } from "../release/why/index.ts";
import { chainLines, plainPaint, whyLines, whyOutline } from "./index.ts";

const holder = {
  name: "ann@laptop (process 7, sluice deploy)",
  since: "2026-03-01T10:00:00.000000Z",
  heardOf: "2026-03-01T10:00:04.000000Z",
  silent: false,
};

function one(title: string, more: Partial<WaitingObject> = {}): WaitingObject {
  const [kind = "", name = ""] = title.split("/");
  const ref = { group: "", version: "v1", kind, namespace: "shop", name };
  return { id: name, ref, external: false, lacks: "ready", state: "progressing", because: "0 of 1 replicas ready", waitsFor: [], ...more };
}

const waitsFor = (...names: string[]) =>
  ({ lacks: "applied", because: "it does not exist", waitsFor: names.map((on) => ({ on, because: "a rank" })) }) as const;

function account(waiting: readonly WaitingObject[], more: Partial<WaitExplanation> = {}): WaitExplanation {
  return {
    release: { name: "web", namespace: "shop" },
    revision: 2,
    state: "pending-upgrade",
    description: "Preparing upgrade",
    waiting,
    ...more,
  };
}

const pod = "0 of 1 replicas ready; pod db-0 cannot be scheduled: no node; try later";

const chains: readonly (readonly [cause: WaitingObject, expected: string])[] = [
  [one("StatefulSet/db", { because: pod }), "statefulset/db, whose pod db-0 cannot be scheduled: no node; try later"],
  [
    one("Pod/db", { because: "pod db: container c crashes (exit code 1, 2 restarts)" }),
    "pod/db, which is not ready: pod db: container c crashes (exit code 1, 2 restarts)",
  ],
  [one("Job/db", { state: "failed", because: "it ran too long" }), "job/db, which has failed: it ran too long"],
  [
    one("Secret/db", { external: true, state: "missing", because: "it does not exist" }),
    "secret/db in shop (outside the release), which is not ready: it does not exist",
  ],
  [
    one("ConfigMap/db", { lacks: "gone", because: "being deleted, kept by the finalizers a/b" }),
    "configmap/db, which is not gone: being deleted, kept by the finalizers a/b",
  ],
  [
    one("ConfigMap/db", { lacks: "applied", because: "it does not exist; it is its turn" }),
    "configmap/db, which is not applied: it does not exist; it is its turn",
  ],
];

for (const [cause, expected] of chains) {
  test(`job/app waits for ${expected}`, () => {
    const explanation = account([cause, one("Job/app", waitsFor("db"))], { state: "deployed" });
    assert.deepEqual(chainLines(explanation, ["app"], plainPaint), [`job/app waits for ${expected}`]);
  });
}

test("causes come with those who wait for them; who is at work comes first", () => {
  const waiting = [
    one("StatefulSet/db", { because: "no node" }),
    one("Job/cache"),
    one("Job/migrate", waitsFor("db")),
    one("Deployment/app", waitsFor("db", "migrate")),
    one("Deployment/other", waitsFor("cache")),
  ];
  assert.deepEqual(whyLines(account(waiting, { holder }), plainPaint), [
    "revision 2 of web in shop: pending-upgrade",
    "ann@laptop (process 7, sluice deploy) is at work on it, since 2026-03-01T10:00:00Z",
    "statefulset/db is not ready: no node",
    "  job/migrate waits for it",
    "  deployment/app waits for job/migrate",
    "job/cache is not ready: 0 of 1 replicas ready",
    "  deployment/other waits for it",
  ]);
});

test("what was interrupted is carried on by the same command", () => {
  assert.deepEqual(whyLines(account([one("Job/cache")]), plainPaint), [
    "revision 2 of web in shop: pending-upgrade",
    "nobody is known to be at work on it: the same command carries it on",
    "job/cache is not ready: 0 of 1 replicas ready",
  ]);
  assert.deepEqual(whyLines(account([], { state: "failed" }), plainPaint), [
    "revision 2 of web in shop: failed",
    "nothing in the cluster waits; the release says: Preparing upgrade",
  ]);
});

test("of many first causes the first ten are printed", () => {
  const causes = Array.from({ length: 12 }, (_, at) => one(`Job/j${at}`));
  const explanation = account([...causes, one("Job/app", waitsFor(...causes.map(({ id }) => id)))], { state: "deployed" });
  const lines = chainLines(explanation, ["app"], plainPaint);
  assert.equal(lines.length, 11);
  assert.equal(lines.at(-1), "and for 2 more: sluice why web shows all");
});

test("as data a list of needs has an end", () => {
  const causes = Array.from({ length: 52 }, (_, at) => one(`Job/j${at}`));
  const explanation = account([...causes, one("Job/app", waitsFor(...causes.map(({ id }) => id)))]);
  const { waiting } = JSON.parse(JSON.stringify(whyOutline(explanation))) as { waiting: { waitsFor: unknown[]; andMore?: number }[] };
  assert.deepEqual([waiting.at(-1)!.waitsFor.length, waiting.at(-1)!.andMore], [50, 2]);
  assert.deepEqual(whyOutline(account(causes)), account(causes));
});

test("nothing waits", () => {
  assert.deepEqual(whyLines(account([], { state: "deployed" }), plainPaint), [
    "nothing waits: revision 2 of web in shop is deployed and all of it is ready",
  ]);
  assert.deepEqual(whyLines(account([], { holder: { ...holder, silent: true } }), plainPaint), [
    "revision 2 of web in shop: pending-upgrade",
    "ann@laptop (process 7, sluice deploy) was at work on it and has not been heard of since 2026-03-01T10:00:04Z; the same command carries it on",
    "nothing in the cluster waits; the release says: Preparing upgrade",
  ]);
});
