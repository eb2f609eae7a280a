import assert from "node:assert/strict";
import { test } from "node:test";
import { containerLogsOf, type LogRequest } from "./container-logs.ts";
import { parseBehaviour } from "./parse-behaviour.ts";
import { asPod, type ContainerState } from "./pod.ts";

const start = Date.UTC(2030, 0, 1);
const { behaviour } = parseBehaviour([
  { match: { name: "web*" }, logs: ["one", { after: "5s", line: "two" }, { after: "9s", line: "three" }] },
]);

function pod(state: ContainerState, lastState: ContainerState = {}) {
  const status = { name: "c", image: "app:1", imageID: "", restartCount: 0, ready: true, state, lastState };
  return asPod({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-1", namespace: "default" },
    spec: { containers: [{ name: "c", image: "app:1" }] },
    status: { containerStatuses: [status] },
  });
}

const running = { running: { startedAt: "2030-01-01T00:00:00Z" } };
const ended = { terminated: { exitCode: 1, startedAt: "2030-01-01T00:00:00Z", finishedAt: "2030-01-01T00:00:05Z" } };

const cases: Record<
  string,
  { state: ContainerState; last?: ContainerState; now?: number; options?: Partial<LogRequest>; expected: string | undefined }
> = {
  "all that was printed by now": { state: running, expected: "one\ntwo\n" },
  "later, more": { state: running, now: start + 10_000, expected: "one\ntwo\nthree\n" },
  "the last line": { state: running, options: { tailLines: 1 }, expected: "two\n" },
  "the last second": { state: running, options: { sinceSeconds: 1 }, expected: "two\n" },
  "with times": { state: running, options: { timestamps: true, tailLines: 1 }, expected: "2030-01-01T00:00:05.000000000Z two\n" },
  "cut to a size": { state: running, options: { limitBytes: 2 }, expected: "on" },
  "an ended run stays as it was": { state: ended, now: start + 60_000, expected: "one\ntwo\n" },
  "the run before": {
    state: { running: { startedAt: "2030-01-01T00:00:06Z" } },
    last: ended,
    options: { previous: true },
    expected: "one\ntwo\n",
  },
  "while it waits, the run before": { state: { waiting: { reason: "CrashLoopBackOff" } }, last: ended, expected: "one\ntwo\n" },
  "nothing before the first start": { state: { waiting: { reason: "ContainerCreating" } }, expected: undefined },
};

for (const [name, { state, last, now = start + 5500, options = {}, expected }] of Object.entries(cases)) {
  test(name, () => assert.equal(containerLogsOf(pod(state, last), { container: "c", ...options }, behaviour, now), expected));
}
