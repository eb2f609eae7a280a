import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { Progress, StepProgress } from "../release/index.ts";
import type { Action, Step } from "../release/plan/index.ts";
import { plainPaint } from "../view/index.ts";
import { logGroupsOf } from "./log-groups.ts";
import { logReporter } from "./log-reporter.ts";

const ref = (kind: string, name: string) => ({ group: "", version: "v1", kind, namespace: "shop", name });
const config = ref("ConfigMap", "c");
const web = ref("Deployment", "web");
const record = ref("Secret", "sh.helm.release.v1.shop.v2");

/** Two steps for each object. */
const steps = [config, config, web, web]
  .map((about): Action => ({ verb: "delete", ref: about, propagation: "background" }))
  .map((action, at): Step => ({ id: String(at), action, needs: [], stage: "main", rank: 0 }));
const release = { name: "shop", namespace: "shop", revision: 2 };
const planned: Progress = { type: "planned", plan: { version: 1, operation: "upgrade", kept: [], steps, release } };

const applying = (about: StepProgress["ref"]): StepProgress => ({ type: "started", verb: "apply", ref: about });
const applied = (about: StepProgress["ref"]): StepProgress => ({ type: "finished", verb: "apply", ref: about, because: "created" });
const watching = (about: StepProgress["ref"]): StepProgress => ({ type: "started", verb: "await", ref: about });
const waiting = (about: StepProgress["ref"], because: string): StepProgress => ({ type: "waiting", verb: "await", ref: about, because });
const ready = (about: StepProgress["ref"]): StepProgress => ({ type: "finished", verb: "await", ref: about });
const failed = (about: StepProgress["ref"], because: string): StepProgress => ({ type: "failed", verb: "await", ref: about, because });
const skipped = (about: StepProgress["ref"]): StepProgress => ({ type: "skipped", verb: "await", ref: about, because: "web failed" });

const logged = { type: "log", ref: web, id: "3", pod: "web-1", container: "c" } as const;

type Case = {
  readonly what: string;
  /** Events, and milliseconds that pass. */
  readonly news: readonly (Progress | number)[];
  readonly env?: NodeJS.ProcessEnv;
  readonly heartbeatMs?: number;
  readonly lines: readonly string[];
};

const begun = [planned, applying(web), applied(web), watching(web)];
const cases: readonly Case[] = [
  {
    what: "an object that is ready at once has one line, which says what was written",
    news: [planned, applying(config), applied(config), watching(config), ready(config)],
    lines: ["10:00:00Z    0s  ready    configmap/c in shop: created"],
  },
  {
    what: "of the reasons to wait the one that lasts is printed, and not again with other numbers",
    news: [
      ...begun,
      waiting(web, "its controller has not seen it yet"),
      waiting(web, "0 of 2 replicas updated"),
      waiting(web, "0 of 2 replicas available"),
      1500,
      waiting(web, "1 of 2 replicas available"),
      1500,
      ready(web),
    ],
    lines: [
      "10:00:01Z    1s  waiting  deployment/web in shop: created; 0 of 2 replicas available",
      "10:00:03Z    3s  ready    deployment/web in shop",
    ],
  },
  {
    what: "that somebody has deleted an object is printed at once, every time, and what becomes of it too",
    news: [
      ...begun,
      waiting(web, "it was deleted; it is created again"),
      waiting(web, "0 of 2 replicas available"),
      1500,
      waiting(web, "it was deleted; it is created again"),
      waiting(web, "0 of 2 replicas available"),
      1500,
      ready(web),
    ],
    lines: [
      "10:00:00Z    0s  waiting  deployment/web in shop: created; it was deleted; it is created again",
      "10:00:01Z    1s  waiting  deployment/web in shop: 0 of 2 replicas available",
      "10:00:01Z    1s  waiting  deployment/web in shop: it was deleted; it is created again",
      "10:00:02Z    2s  waiting  deployment/web in shop: 0 of 2 replicas available",
      "10:00:03Z    3s  ready    deployment/web in shop",
    ],
  },
  {
    what: "another reason is news, one that comes back is not",
    news: [
      ...begun,
      waiting(web, "0 of 2 replicas available"),
      2000,
      waiting(web, "0 of 2 replicas available; pod web-5d4f-x2x9z: ImagePullBackOff"),
      2000,
      waiting(web, "0 of 2 replicas available"),
      2000,
      waiting(web, "0 of 2 replicas available; pod web-5d4f-abcde: ImagePullBackOff"),
      2000,
    ],
    lines: [
      "10:00:01Z    1s  waiting  deployment/web in shop: created; 0 of 2 replicas available",
      "10:00:03Z    3s  waiting  deployment/web in shop: 0 of 2 replicas available; pod web-5d4f-x2x9z: ImagePullBackOff",
    ],
  },
  {
    what: "what takes long to be written says so",
    news: [planned, applying(web), 1500, applied(web), 1500],
    lines: ["10:00:01Z    1s  applying deployment/web in shop", "10:00:02Z    2s  applied  deployment/web in shop: created"],
  },
  {
    what: "a failure is one line, and so is all that is skipped of one object",
    news: [...begun, failed(web, "exit code 3\n::add-mask::x"), skipped(web), skipped(config), skipped(config), 5000],
    lines: [
      "10:00:00Z    0s  failed   deployment/web in shop: created; exit code 3 ::add-mask::x",
      "10:00:00Z    0s  skipped  configmap/c in shop: web failed",
    ],
  },
  {
    what: "a heartbeat tells what is waited for when nothing was printed for half a minute, and again after another",
    news: [...begun, waiting(web, "0 of 2 replicas available"), 20_000, waiting(web, "1 of 2 replicas available"), 45_000],
    lines: [
      "10:00:01Z    1s  waiting  deployment/web in shop: created; 0 of 2 replicas available",
      "10:00:31Z   31s  still    0 of 2 done; deployment/web in shop for 31s: 1 of 2 replicas available",
      "10:01:01Z   61s  still    0 of 2 done; deployment/web in shop for 1m1s: 1 of 2 replicas available",
    ],
  },
  {
    what: "a heartbeat comes before there is a plan, too, as often as is asked for",
    news: [7000],
    heartbeatMs: 5000,
    lines: ["10:00:05Z    5s  still    nothing is planned yet"],
  },
  {
    what: "what delays a record is printed at once, and what is noted is not",
    news: [
      planned,
      { type: "waiting", verb: "record", ref: record, because: "no answer" },
      { type: "finished", verb: "record", ref: record },
    ],
    lines: ["10:00:00Z    0s  waiting  secret/sh.helm.release.v1.shop.v2 in shop: no answer"],
  },
  {
    what: "GitHub Actions can fold the lines of a run",
    env: { GITHUB_ACTIONS: "true" },
    news: [planned, applied(config), ready(config)],
    lines: ["::group::upgrade shop in shop, revision 2", "10:00:00Z    0s  ready    configmap/c in shop: created", "::endgroup::"],
  },
  {
    what: "GitLab CI can fold the lines of a run",
    env: { GITLAB_CI: "true" },
    news: [planned, applied(config), 2500, ready(config)],
    lines: [
      "\u001B[0Ksection_start:1893492001:sluice_1893492001000\r\u001B[0Kupgrade shop in shop, revision 2",
      "10:00:01Z    1s  applied  configmap/c in shop: created",
      "10:00:02Z    2s  ready    configmap/c in shop",
      "\u001B[0Ksection_end:1893492002:sluice_1893492001000\r\u001B[0K",
    ],
  },
  {
    what: "what containers write has its lines, on which nothing moves the cursor or commands the CI system",
    env: { GITHUB_ACTIONS: "true" },
    news: [
      planned,
      { ...logged, line: "::error::it is\ta trap" },
      { ...logged, line: "\u001B[2J\u001B[31mred\u001B[0m ##[add-mask]x\u009B31m\u202Edne" },
      1000,
      { ...logged, skipped: 1234 },
      { ...logged, because: "pods/log is forbidden" },
      { type: "event", ref: web, id: "3", text: "pod web-1: BackOff: \u001B[2Jno", warning: true },
    ],
    lines: [
      "::group::upgrade shop in shop, revision 2",
      "10:00:00Z    0s  log      deployment/web in shop, web-1/c: ::error::it is    a trap",
      "10:00:00Z    0s  log      deployment/web in shop, web-1/c: red # #[add-mask]x dne",
      "10:00:01Z    1s  log      deployment/web in shop, web-1/c: … 1,234 lines skipped",
      "10:00:01Z    1s  log      deployment/web in shop, web-1/c: pods/log is forbidden",
      "10:00:01Z    1s  event    deployment/web in shop: pod web-1: BackOff: no",
      "::endgroup::",
    ],
  },
  {
    what: "a run without a line has no group",
    env: { GITHUB_ACTIONS: "true" },
    news: [planned, { type: "done", status: "unchanged" }],
    lines: [],
  },
];

for (const { what, news, env = {}, heartbeatMs, lines } of cases) {
  test(what, async () => {
    const clock = new VirtualClock({ start: Date.UTC(2030, 0, 1, 10) });
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    const logGroups = logGroupsOf(env);
    const terminal = { out: print, err: print, paint: plainPaint, ...(logGroups === undefined ? {} : { logGroups }) };
    const reporter = logReporter(clock, terminal, heartbeatMs === undefined ? {} : { heartbeatMs });
    for (const event of news) {
      if (typeof event === "number") await clock.advance(event);
      else void reporter.report(event);
    }
    reporter.end();
    await clock.advance(120_000);
    assert.deepEqual(said, lines);
  });
}
