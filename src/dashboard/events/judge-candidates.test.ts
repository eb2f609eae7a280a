import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestCluster } from "../../../test/support/dashboard/view-under-test.ts";
import { httpsScript, serviceObject } from "../../../test/support/event-objects.ts";
import { readEventSource, type EventSource } from "../../sveltos/api/index.ts";
import { EvaluationTasks } from "../../sveltos/evaluate/index.ts";
import { TaskEnded, type TaskRunner } from "../../worker/index.ts";
import { judgeCandidates } from "./judge-candidates.ts";

const { signal } = new AbortController();

function sourceOf(...resourceSelectors: readonly object[]): EventSource {
  const reading = readEventSource({
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "EventSource",
    metadata: { name: "s" },
    spec: { resourceSelectors },
  });
  assert.equal(reading.state, "read");
  return reading.value;
}

const service = { group: "", version: "v1", kind: "Service" };
const app = { labelFilters: [{ key: "app", operation: "Equal", value: "web" }] };

/** Runs tasks in this process; an object whose name is `hangs` never ends its task, as a worker's limit tells. */
function localTasks(): TaskRunner {
  const evaluation = new EvaluationTasks({});
  return {
    run: async ({ title, input }) => {
      if (JSON.stringify(input).includes('"hangs"')) throw new TaskEnded(title, "it took more than 5 s of the processor", 1);
      return evaluation.match(input);
    },
  };
}

async function judge(source: EventSource, tasks?: TaskRunner) {
  const { cluster, clock } = openTestCluster();
  for (const [name, port, labels] of [
    ["good", 443, { app: "web" }],
    ["plain", 80, { app: "web" }],
    ["bad", 666, { app: "web" }],
    ["other", 443, { app: "db" }],
    ["hangs", 443, { app: "web" }],
  ] as const)
    await clock.until(cluster.create(serviceObject(name, labels, port)));
  const answer = await clock.until(judgeCandidates(source, cluster, { tasks, signal }));
  return {
    ...answer,
    lines: answer.candidates.map(({ ref, verdict }) => `${ref.name} ${verdict}`),
    becauseOf: (name: string) => answer.candidates.find(({ ref }) => ref.name === name)?.because ?? "",
  };
}

test("what a script rejects, cannot judge or never ends on comes near; then what has other labels", async () => {
  const answer = await judge(sourceOf({ ...service, ...app, evaluate: httpsScript }), localTasks());
  assert.deepEqual(answer.lines, ["good matching", "bad failed", "hangs failed", "plain rejected", "kubernetes labels", "other labels"]);
  assert.match(answer.becauseOf("bad"), /^s:5: no such port/);
  assert.match(answer.becauseOf("hangs"), /took more than 5 s/);
  assert.equal(answer.becauseOf("plain"), "evaluate says that it does not match");
  assert.match(answer.becauseOf("other"), /app in \(web\) \(found app=db\)/);
  assert.deepEqual(answer.counts, { matching: 1, failed: 2, rejected: 1, labels: 2, different: 0 });
});

test("what is in another namespace is far away", async () => {
  const { counts } = await judge(sourceOf({ ...service, namespace: "kube-system" }));
  assert.deepEqual(counts, { matching: 0, failed: 0, rejected: 0, labels: 0, different: 0 });
  assert.equal((await judge(sourceOf({ ...service, name: "good" }))).counts.different, 5);
});

test("without workers no script is run, and that is said", async () => {
  const { lines, notices } = await judge(sourceOf({ ...service, ...app, evaluate: httpsScript }));
  assert.match(notices.join(), /not run here/);
  assert.equal(lines.filter((line) => line.endsWith("rejected")).length, 4);
});

test("a kind that is not served is said", async () => {
  const { notices, lines } = await judge(sourceOf({ group: "example.com", version: "v1", kind: "Widget" }));
  assert.deepEqual([notices, lines], [["The cluster does not serve example.com/v1 Widget."], []]);
});
