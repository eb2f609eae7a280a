import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hook, Revision } from "../release/record/index.ts";
import { historyTable, plainPaint, releaseTable, revisionOutline, statusLines, statusOutline } from "./index.ts";

const revision: Revision = {
  name: "web",
  namespace: "shop",
  revision: 3,
  state: "deployed",
  manifest: "",
  hooks: [],
  chart: { metadata: { name: "nginx", version: "1.2.3" } },
  config: {},
  lastDeployed: "2026-03-01T12:30:00.123456789+02:00",
  description: "Upgrade\n  complete",
  notes: "",
  labels: {},
  storage: "Secret",
};

test("times are in UTC, to the second, in whatever zone a record was written", () => {
  assert.deepEqual(releaseTable([revisionOutline(revision)]), [
    "NAME  NAMESPACE  REVISION  UPDATED               STATUS    CHART",
    "web   shop       3         2026-03-01T10:30:00Z  deployed  nginx-1.2.3",
  ]);
});

test("a record without data leaves its columns empty, and a description is one line", () => {
  const { lastDeployed: _time, ...rest } = revision;
  assert.deepEqual(historyTable([revisionOutline({ ...rest, chart: {} })]), [
    "REVISION  UPDATED  STATUS    CHART  DESCRIPTION",
    "3                  deployed         Upgrade complete",
  ]);
});

test("the version of what a chart installs is under the name that Helm's scripts read", () => {
  assert.equal(revisionOutline({ ...revision, chart: { metadata: { appVersion: "v4" } } }).app_version, "v4");
  assert.equal(revisionOutline(revision).app_version, "");
});

test("a deleted release has the time of its deletion", () => {
  const gone: Revision = { ...revision, state: "uninstalled", deleted: "2026-03-02T00:00:00Z" };
  assert.equal(revisionOutline(gone).updated, "2026-03-02T00:00:00Z");
});

const hook: Hook = {
  name: "migrate",
  kind: "Job",
  path: "web.yaml",
  manifest: "secret",
  events: ["pre-install", "pre-upgrade"],
  weight: -5,
  deletePolicies: [],
  outputLogPolicies: [],
  lastRun: { phase: "Failed", completedAt: "2026-03-01T10:30:07Z", event: "pre-upgrade" },
};
const ref = { group: "apps", version: "v1", kind: "Deployment", namespace: "shop", name: "app" };
const status = {
  revision: { ...revision, state: "pending-upgrade", hooks: [hook, { ...hook, name: "later", lastRun: { phase: "" } }], notes: "Hello.\n" },
  objects: [{ ref, state: "progressing", because: "0 of 1 replicas ready" }],
  holder: { name: "ann", since: "2026-03-01T10:30:00.000000Z", heardOf: "2026-03-01T10:30:04.000000Z", silent: false },
  ready: false,
} as const;

const leaseOf = (found: Parameters<typeof statusLines>[0]) => statusLines(found, plainPaint).find((line) => line.startsWith("Lease:"));

test("the status of what was interrupted says how it is carried on", () => {
  const { holder, ...idle } = status;
  assert.equal(leaseOf(idle), "Lease:     nobody is known to be at work on it: the same command carries it on");
  assert.equal(
    leaseOf({ ...status, holder: { ...holder, silent: true } }),
    "Lease:     ann was at work on it and has not been heard of since 2026-03-01T10:30:04Z; the same command carries it on",
  );
  assert.equal(leaseOf({ ...idle, revision: { ...idle.revision, state: "deployed" } }), undefined);
});

test("a status for people", () => {
  assert.deepEqual(statusLines(status, plainPaint), [
    "Release:   web in shop",
    "Revision:  3",
    "Status:    pending-upgrade",
    "Updated:   2026-03-01T10:30:00Z",
    "Chart:     nginx-1.2.3",
    "Reason:    Upgrade complete",
    "Lease:     ann is at work on it, since 2026-03-01T10:30:00Z",
    "",
    "OBJECT          NAMESPACE  STATE        REASON",
    "deployment/app  shop       progressing  0 of 1 replicas ready",
    "",
    "HOOK         EVENTS                    WEIGHT  LAST RUN              ENDED",
    "job/migrate  pre-install, pre-upgrade  -5      failed (pre-upgrade)  2026-03-01T10:30:07Z",
    "job/later    pre-install, pre-upgrade  -5      not run",
    "",
    "Hello.",
  ]);
});

test("a status as data has no manifests", () => {
  const data = statusOutline(status);
  assert.deepEqual(JSON.parse(JSON.stringify(data)), data);
  assert.doesNotMatch(JSON.stringify(data), /secret/);
  assert.partialDeepStrictEqual(data, {
    version: 3,
    info: { status: "pending-upgrade", last_deployed: revision.lastDeployed, notes: "Hello.\n" },
  });
});
