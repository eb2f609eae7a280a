import assert from "node:assert/strict";
import { test } from "node:test";
import { ageText } from "../core/object/index.ts";
import { goTime } from "./time-text.ts";
import { occurrenceTable, type OccurrenceOutline } from "./occurrence-table.ts";

const east = { namespace: "fleet", name: "east" };
const occurrences: readonly OccurrenceOutline[] = [
  {
    state: "noted",
    object: { kind: "Profile", namespace: "team", name: "web" },
    clusters: [],
    reason: "Suspended",
    message: "paused by hand",
  },
  {
    time: "2026-01-05T09:00:00Z",
    state: "failed",
    object: { kind: "EventTrigger", namespace: "", name: "policies" },
    clusters: [],
    reason: "TemplateFailed",
    message: "policy.yaml:3:\n  no such field",
    count: 4,
  },
  {
    time: "2026-01-05T11:59:15Z",
    state: "failing",
    object: { kind: "ClusterProfile", namespace: "", name: "web" },
    cluster: east,
    clusters: [east],
    reason: "HelmFailed",
    message: "no such chart",
  },
  {
    time: "2026-01-05T11:59:55Z",
    state: "failing",
    object: { kind: "ClusterProfile", namespace: "", name: "db" },
    clusters: [east, { namespace: "fleet", name: "north" }, { namespace: "fleet", name: "west" }],
    reason: "HelmFailed",
    message: "no such chart",
  },
];

test("occurrences: what, where, why and how long ago, a line each", () => {
  assert.deepEqual(occurrenceTable(occurrences, Date.parse("2026-01-05T12:00:00Z")), [
    "AGE  STATE    OBJECT                 CLUSTERS                       REASON          MESSAGE",
    "     noted    profile/web in team                                   Suspended       paused by hand",
    "3h   failed   eventtrigger/policies                                 TemplateFailed  policy.yaml:3: no such field (4 times)",
    "45s  failing  clusterprofile/web     fleet/east                     HelmFailed      no such chart",
    "5s   failing  clusterprofile/db      3: fleet/east, fleet/north, …  HelmFailed      no such chart",
  ]);
});

const second = 1000;
const [minute, hour, day] = [60 * second, 3600 * second, 86_400 * second];
/** As apimachinery's own table has them. */
const ages: readonly (readonly [number, string])[] = [
  [-5 * second, "0s"],
  [1500, "1s"],
  [70 * second, "70s"],
  [190 * second, "3m10s"],
  [5 * minute, "5m"],
  [70 * minute, "70m"],
  [47 * hour, "47h"],
  [49 * hour, "2d1h"],
  [3 * hour + 5 * minute, "3h5m"],
  [5 * day, "5d"],
  [(8 * 24 + 2) * hour, "8d"],
  [367 * day, "367d"],
  [(365 * 2 + 25) * day, "2y25d"],
  [(365 * 8 + 2) * day, "8y"],
];

for (const [ms, text] of ages) test(`age: ${text}`, () => assert.equal(ageText(ms), text));

const moment = "2023-08-20T15:23:11Z";
const times: readonly (readonly [string, string])[] = [
  ["America/Los_Angeles", "2023-08-20 08:23:11 -0700 PDT"],
  ["UTC", "2023-08-20 15:23:11 +0000 UTC"],
  ["Europe/Berlin", "2023-08-20 17:23:11 +0200 CEST"],
  ["Asia/Kolkata", "2023-08-20 20:53:11 +0530 IST"],
  ["America/Sao_Paulo", "2023-08-20 12:23:11 -0300 -0300"],
];

for (const [zone, text] of times) test(`time: ${zone}`, () => assert.equal(goTime(moment, zone), text));

test("time: what is no time is nothing", () => assert.deepEqual([goTime(undefined, "UTC"), goTime("soon", "UTC")], ["", ""]));
