import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedPod } from "../recording/index.ts";
import { learnBehaviour } from "./learn-behaviour.ts";

type Container = RecordedPod["containers"][number];
const container = (more: Partial<Container> = {}): Container => ({ name: "main", image: "example.com/shop/web:1", restarts: 0, ...more });
const pod = (kind: string, more: Partial<RecordedPod>): RecordedPod => ({
  name: "web-1",
  namespace: "shop",
  owner: { kind, name: "web" },
  createdAtMs: 0,
  containers: [container({ startedAtMs: 8000, pullMs: 3000 })],
  ...more,
});
const durationsOf = (...pods: readonly RecordedPod[]) => learnBehaviour([{ from: "live pods", pods }]).learnt[0]?.durations;

test("the time of a pod is told apart into scheduling, pull, start and readiness", () => {
  assert.deepEqual(durationsOf(pod("Deployment", { scheduledAtMs: 2000, readyAtMs: 20_000 })), {
    schedule: 2000,
    pull: 3000,
    start: 3000,
    ready: 12_000,
  });
});

test("init containers come before the start, and a Job runs until it ends", () => {
  const init = container({ name: "init", init: true, startedAtMs: 1000, finishedAtMs: 5000 });
  const ended = container({ startedAtMs: 6000, finishedAtMs: 36_000, exitCode: 0 });
  assert.deepEqual(durationsOf(pod("Job", { scheduledAtMs: 0, containers: [init, ended] })), {
    schedule: 0,
    pull: 0,
    init: 4000,
    start: 1000,
    run: 30_000,
  });
});

test("the slowest pod counts, the first evidence comes first, and a pod that never got ready tells nothing", () => {
  const ready = (readyAtMs: number) => pod("Deployment", { readyAtMs });
  assert.equal(durationsOf(ready(9000), ready(30_000), ready(20_000))?.ready, 22_000);
  assert.equal(durationsOf(pod("Deployment", {})), undefined);
  const [recorded, live] = [
    { from: "the recording of revision 1", pods: [ready(10_000)] },
    { from: "live pods", pods: [ready(60_000)] },
  ];
  const { learnt, behaviour } = learnBehaviour([recorded, live]);
  assert.deepEqual(
    learnt.map(({ from, durations }) => [from, durations.ready]),
    [["the recording of revision 1", 2000]],
  );
  assert.deepEqual(behaviour.rules[0]!.match, { kind: "Deployment", workload: "web", namespace: "shop", image: "*web:1" });
  assert.deepEqual(
    behaviour.rules.find(({ match }) => match.workload === undefined && match.image === "*web:*"),
    { match: { image: "*web:*" }, pull: { after: { fixed: 3000 }, timeOnly: true }, start: { fixed: 5000 } },
  );
});

/** The rules for images that fail, after one try a second of the same workload. */
function failingRules(...tries: readonly Container[]): readonly object[] {
  const pods = tries.map((one, at) => pod("Deployment", { createdAtMs: at * 1000, containers: [one] }));
  const { rules } = learnBehaviour([{ from: "live pods", pods: pods.toReversed() }]).behaviour;
  return rules.filter(({ pull }) => pull?.fail !== undefined);
}

test("an image whose last pull has failed fails again, and one that was pulled since does not", () => {
  const failing = container({ pullError: "not found" });
  assert.deepEqual(failingRules(container({ startedAtMs: 1 }), failing), [
    { match: { image: "example.com/shop/web:1" }, pull: { after: { fixed: 1000 }, fail: "not found" } },
  ]);
  assert.deepEqual(failingRules(failing, container({ startedAtMs: 2000 })), []);
  const short = container({ image: "web:1", pullError: "not found" });
  assert.equal(failingRules(short, container({ image: "docker.io/library/web:1", startedAtMs: 2000 })).length, 0);
  assert.equal(failingRules(short, container({ image: "docker.io/library/other-web:1", startedAtMs: 2000 })).length, 1);
});
