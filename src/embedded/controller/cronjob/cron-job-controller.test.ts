import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { VirtualClock } from "../../../core/clock/index.ts";
import { cronScheduleOf } from "../../builtin/index.ts";
import { startEmbeddedCluster } from "../../index.ts";
import { nextScheduleAfter } from "./next-schedule.ts";

// Expected times come from github.com/robfig/cron/v3, which the real controller uses.
const schedules: readonly [schedule: string, after: string, expected: string | undefined][] = [
  ["*/15 * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:15:00.000Z"],
  ["0 0 1 1 *", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00.000Z"],
  ["0 12 13 * 5", "2026-01-01T00:00:00Z", "2026-01-02T12:00:00.000Z"],
  ["30 6-16/4 * * 1-5", "2026-01-02T15:00:00Z", "2026-01-05T06:30:00.000Z"],
  ["59 23 31 2 *", "2026-01-01T00:00:00Z", undefined],
  ["0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["@hourly", "2026-01-01T00:00:01Z", "2026-01-01T01:00:00.000Z"],
  ["@weekly", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00.000Z"],
  ["@every 90s", "2026-01-01T00:00:01Z", "2026-01-01T00:01:31.000Z"],
  ["TZ=Europe/Berlin 0 2 * * *", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000Z"],
  ["TZ=Europe/Berlin 30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00.000Z"],
  ["TZ=Europe/Berlin 30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00.000Z"],
  ["TZ=America/Havana 0 0 * * *", "2026-03-07T12:00:00Z", "2026-03-09T04:00:00.000Z"],
  ["TZ=America/New_York 0 0 * * sun", "2026-01-01T00:00:00Z", "2026-01-04T05:00:00.000Z"],
];

describe("schedules", () => {
  for (const [schedule, after, expected] of schedules) {
    test(`${schedule} after ${after}`, () => {
      const next = nextScheduleAfter(cronScheduleOf(schedule)!, Date.parse(after));
      assert.equal(next === undefined ? undefined : new Date(next).toISOString(), expected);
    });
  }
});

const { signal } = new AbortController();
const path = "/apis/batch/v1/namespaces/default";

async function startCluster(spec: object = {}, command = "true") {
  // A minute begins now.
  const clock = new VirtualClock({ start: Date.parse("2026-01-01T00:00:00Z") });
  const { exchange } = startEmbeddedCluster({ clock });
  const call = async (method: string, at: string, body?: object) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
    const answer = await exchange({ method, path: `${path}/${at}`, headers: { "content-type": type }, signal, ...sent });
    let text = "";
    for await (const piece of answer.body) text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
    return JSON.parse(text);
  };
  const template = { restartPolicy: "Never", containers: [{ name: "a", image: "a", command: ["sh", "-c", command] }] };
  const jobTemplate = { metadata: { labels: { a: "b" } }, spec: { backoffLimit: 0, template: { spec: template } } };
  await call("POST", "cronjobs", {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "c" },
    spec: { schedule: "* * * * *", jobTemplate, ...spec },
  });
  const jobs = async (): Promise<string> =>
    (await call("GET", "jobs")).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name.slice(2)).join(" ");
  return { clock, call, jobs };
}

const minute = Date.parse("2026-01-01T00:00:00Z") / 60_000;

test("a Job starts every minute, three that succeeded are kept, and nobody waits for it", async () => {
  const { clock, call, jobs } = await startCluster({ timeZone: "Asia/Kolkata" });
  await clock.advance(59_000);
  assert.equal(await jobs(), "");
  await clock.advance(2000);
  assert.equal(await jobs(), `${minute + 1}`);
  const [job] = (await call("GET", "jobs")).items;
  assert.equal(job.metadata.annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"], "2026-01-01T05:31:00+05:30");
  assert.equal(job.metadata.labels.a, "b");
  assert.equal((await call("GET", "cronjobs/c")).status.active.length, 1);
  await clock.advance(5 * 60_000);
  assert.equal(await jobs(), [3, 4, 5, 6].map((each) => minute + each).join(" "), "the last one runs");
  const { status } = await call("GET", "cronjobs/c");
  assert.equal(status.lastScheduleTime, "2026-01-01T00:06:00Z");
  assert.ok(await clock.settle(), "a schedule keeps no clock running");
});

async function jobsAfter(concurrencyPolicy: string): Promise<string> {
  const { clock, jobs } = await startCluster({ concurrencyPolicy }, "sleep 600");
  await clock.advance(3 * 60_000 + 2000);
  return jobs();
}

test("concurrent Jobs are allowed, forbidden or replaced", async () => {
  assert.equal(await jobsAfter("Allow"), [1, 2, 3].map((each) => minute + each).join(" "));
  assert.equal(await jobsAfter("Forbid"), `${minute + 1}`);
  assert.equal(await jobsAfter("Replace"), `${minute + 3}`);
});

test("a suspended CronJob starts nothing, and then the last Job that it missed unless its deadline is over", async () => {
  const { clock, call, jobs } = await startCluster({ suspend: true });
  await clock.advance(10 * 60_000 + 30_000);
  assert.equal(await jobs(), "");
  await call("PATCH", "cronjobs/c", { spec: { suspend: false, startingDeadlineSeconds: 20 } });
  await clock.advance(1000);
  assert.equal(await jobs(), "");
  await call("PATCH", "cronjobs/c", { spec: { startingDeadlineSeconds: 300 } });
  await clock.advance(1000);
  assert.equal(await jobs(), `${minute + 10}`);
});

test("a new schedule counts from now on", async () => {
  const { clock, call, jobs } = await startCluster({ schedule: "0 0 * * *" });
  await clock.advance(30 * 60_000 + 30_000);
  await call("PATCH", "cronjobs/c", { spec: { schedule: "*/5 * * * *" } });
  await clock.advance(1000);
  assert.equal(await jobs(), "");
  await clock.advance(5 * 60_000);
  assert.equal(await jobs(), `${minute + 35}`);
});
