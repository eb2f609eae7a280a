import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionsOf, fieldsAt, listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { EmbeddedTestCluster } from "../../../../test/support/embedded/embedded-test-cluster.ts";

const jobs = "jobs.batch";

function job(
  spec: object,
  { restartPolicy = "Never", script = "sleep 2", annotations = {} }: { restartPolicy?: string; script?: string; annotations?: object } = {},
): object {
  const containers = [{ name: "main", image: "app:1", command: ["sh", "-c", script] }];
  const metadata = { annotations };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "j" },
    spec: { ...spec, template: { metadata, spec: { restartPolicy, containers } } },
  };
}

/** `SuccessCriteriaMet True CompletionsReached: Reached …` */
const lines = (object: KubeObject) =>
  conditionsOf(object).map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`);

/** A Job's status without times and conditions. */
function counts(object: KubeObject): object {
  const { conditions: _conditions, startTime: _start, completionTime: _end, ...rest } = fieldsAt(object, "status");
  return rest;
}

const reached = "CompletionsReached: Reached expected number of succeeded pods";
const decided = { uncountedTerminatedPods: {}, ready: 0, terminating: 0 };

type Case = {
  readonly title: string;
  readonly spec: object;
  readonly shape?: Parameters<typeof job>[1];
  readonly rules?: readonly object[];
  readonly conditions: readonly string[];
  readonly counts: object;
  readonly events: readonly string[];
};

const cases: readonly Case[] = [
  {
    title: "one completion",
    spec: {},
    conditions: [`SuccessCriteriaMet True ${reached}`, `Complete True ${reached}`],
    counts: { ...decided, succeeded: 1 },
    events: ["SuccessfulCreate", "Completed"],
  },
  {
    title: "three completions, two at a time",
    spec: { completions: 3, parallelism: 2 },
    conditions: [`SuccessCriteriaMet True ${reached}`, `Complete True ${reached}`],
    counts: { ...decided, succeeded: 3 },
    events: ["SuccessfulCreate", "SuccessfulCreate", "SuccessfulCreate", "Completed"],
  },
  {
    title: "nothing to do",
    spec: { completions: 0 },
    conditions: [`SuccessCriteriaMet True ${reached}`, `Complete True ${reached}`],
    counts: decided,
    events: ["Completed"],
  },
  {
    title: "failures up to the limit",
    spec: { backoffLimit: 2 },
    shape: { script: "sleep 2; exit 1" },
    conditions: [
      "FailureTarget True BackoffLimitExceeded: Job has reached the specified backoff limit",
      "Failed True BackoffLimitExceeded: Job has reached the specified backoff limit",
    ],
    counts: { ...decided, failed: 3 },
    events: ["SuccessfulCreate", "SuccessfulCreate", "SuccessfulCreate", "BackoffLimitExceeded"],
  },
  {
    title: "restarts inside the Pod count too",
    spec: { backoffLimit: 2 },
    shape: { script: "sleep 2; exit 1", restartPolicy: "OnFailure" },
    conditions: [
      "FailureTarget True BackoffLimitExceeded: Job has reached the specified backoff limit",
      "Failed True BackoffLimitExceeded: Job has reached the specified backoff limit",
    ],
    counts: { ...decided, failed: 1 },
    events: ["SuccessfulCreate", "SuccessfulDelete", "BackoffLimitExceeded"],
  },
  {
    title: "past its deadline",
    spec: { activeDeadlineSeconds: 5 },
    shape: { script: "sleep 1000" },
    conditions: [
      "FailureTarget True DeadlineExceeded: Job was active longer than specified deadline",
      "Failed True DeadlineExceeded: Job was active longer than specified deadline",
    ],
    counts: { ...decided, failed: 1 },
    events: ["SuccessfulCreate", "SuccessfulDelete", "DeadlineExceeded"],
  },
  {
    title: "indexed",
    spec: { completions: 3, parallelism: 3, completionMode: "Indexed" },
    conditions: [`SuccessCriteriaMet True ${reached}`, `Complete True ${reached}`],
    counts: { ...decided, succeeded: 3, completedIndexes: "0-2" },
    events: ["SuccessfulCreate", "SuccessfulCreate", "SuccessfulCreate", "Completed"],
  },
  {
    title: "an index that fails too often",
    spec: { completions: 3, parallelism: 3, completionMode: "Indexed", backoffLimitPerIndex: 1 },
    rules: [{ match: { name: "j-1-*" }, result: { exitCode: 1 } }],
    shape: { script: "true" },
    conditions: ["FailureTarget True FailedIndexes: Job has failed indexes", "Failed True FailedIndexes: Job has failed indexes"],
    counts: { ...decided, succeeded: 2, failed: 2, completedIndexes: "0,2", failedIndexes: "1" },
    events: ["SuccessfulCreate", "SuccessfulCreate", "SuccessfulCreate", "SuccessfulCreate", "FailedIndexes"],
  },
  {
    title: "more indexes fail than may",
    spec: { completions: 4, parallelism: 1, completionMode: "Indexed", backoffLimitPerIndex: 0, maxFailedIndexes: 1 },
    shape: { script: "sleep 2; exit 1" },
    conditions: [
      "FailureTarget True MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes",
      "Failed True MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes",
    ],
    counts: { ...decided, failed: 2, failedIndexes: "0,1" },
    events: ["SuccessfulCreate", "SuccessfulCreate", "MaxFailedIndexesExceeded"],
  },
  {
    title: "enough by its success policy",
    spec: { completions: 3, parallelism: 3, completionMode: "Indexed", successPolicy: { rules: [{ succeededIndexes: "0" }] } },
    rules: [
      { match: { name: "j-0-*" }, run: "2s", result: { exitCode: 0 } },
      { match: { name: "j-*" }, run: "100s" },
    ],
    shape: { script: "true" },
    conditions: [
      "SuccessCriteriaMet True SuccessPolicy: Matched rules at index 0",
      "Complete True SuccessPolicy: Matched rules at index 0",
    ],
    counts: { ...decided, succeeded: 1, completedIndexes: "0" },
    events: ["SuccessfulCreate", "SuccessfulCreate", "SuccessfulCreate", "SuccessfulDelete", "SuccessfulDelete", "Completed"],
  },
];

for (const { title, spec, shape, rules = [], conditions, counts: expected, events } of cases) {
  test(`a Job: ${title}`, async () => {
    const cluster = new EmbeddedTestCluster({ rules });
    await cluster.create(jobs, job(spec, shape));
    await cluster.settle();
    const done = await cluster.read(jobs, "j");
    assert.deepEqual(lines(done), conditions);
    assert.deepEqual(counts(done), expected);
    const reasons = (await cluster.events("Job", "j")).map((line) => line.split(" ")[1]);
    assert.deepEqual(reasons, events);
    assert.equal(stringAt(done, "status.completionTime") !== undefined, conditions.at(-1)!.startsWith("Complete"));
    for (const pod of await cluster.list("pods")) assert.equal(pod.metadata.finalizers, undefined);
  });
}

const rule = (action: string, code: number) => ({ action, onExitCodes: { operator: "In", values: [code] } });

test("a Pod policy can end a Job at once, and ignore failures", async () => {
  const podFailurePolicy = { rules: [rule("FailJob", 42), rule("Ignore", 3)] };
  const fatal = new EmbeddedTestCluster();
  await fatal.create(jobs, job({ podFailurePolicy }, { script: "sleep 1; exit 42" }));
  await fatal.settle();
  const [pod] = await fatal.list("pods");
  const why = `PodFailurePolicy: Container main for pod default/${pod!.metadata.name} failed with exit code 42 matching FailJob rule at index 0`;
  assert.deepEqual(lines(await fatal.read(jobs, "j")), [`FailureTarget True ${why}`, `Failed True ${why}`]);

  const harmless = new EmbeddedTestCluster();
  await harmless.create(jobs, job({ podFailurePolicy, backoffLimit: 0 }, { script: "sleep 1; exit 3" }));
  await harmless.clock.advance(60_000);
  assert.deepEqual(lines(await harmless.read(jobs, "j")), []);
  assert.equal(numberAt(await harmless.read(jobs, "j"), "status.failed"), undefined);
  assert.ok((await harmless.list("pods")).length > 1, "what is ignored is tried again");
});

test("attempts come 10 s, 20 s, 40 s after a failure", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(jobs, job({ backoffLimit: 3 }, { script: "sleep 2; exit 1" }));
  await cluster.settle();
  const pods = (await cluster.list("pods")).toSorted((a, b) => (a.metadata.creationTimestamp! < b.metadata.creationTimestamp! ? -1 : 1));
  const made = pods.map(({ metadata }) => Date.parse(metadata.creationTimestamp!) / 1000);
  const ended = pods.map((pod) => Date.parse(stringAt(listAt(pod, "status.containerStatuses")[0], "state.terminated.finishedAt")!) / 1000);
  const waits = made.slice(1).map((at, index) => at - ended[index]!);
  assert.deepEqual(waits, [10, 20, 40]);
});

test("a suspended Job has no Pods and no time; it begins when resumed", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(jobs, job({ parallelism: 2, completions: 2 }, { script: "sleep 1000" }));
  await cluster.clock.advance(10_000);
  await cluster.patch(jobs, "j", { spec: { suspend: true } });
  await cluster.clock.advance(10_000);
  const suspended = await cluster.read(jobs, "j");
  assert.deepEqual(lines(suspended), ["Suspended True JobSuspended: Job suspended"]);
  assert.deepEqual(counts(suspended), decided);
  assert.equal((await cluster.list("pods")).length, 0);
  await cluster.patch(jobs, "j", { spec: { suspend: false } });
  await cluster.clock.advance(10_000);
  const resumed = await cluster.read(jobs, "j");
  assert.deepEqual(lines(resumed), ["Suspended False JobResumed: Job resumed"]);
  assert.deepEqual(counts(resumed), { ...decided, active: 2, ready: 2 });
  assert.equal(Date.parse(stringAt(resumed, "status.startTime")!), Date.parse("2030-01-01T00:00:20Z"));
  const reasons = (await cluster.events("Job", "j")).map((line) => line.split(" ")[1]);
  assert.deepEqual(
    reasons.filter((reason) => reason === "Suspended" || reason === "Resumed"),
    ["Suspended", "Resumed"],
  );
});

test("a Pod of an indexed Job knows its index", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(jobs, job({ completions: 2, parallelism: 2, completionMode: "Indexed" }));
  await cluster.clock.advance(1000);
  const pods = await cluster.list("pods");
  const key = "batch.kubernetes.io/job-completion-index";
  assert.deepEqual(
    pods.map(({ metadata }) => metadata.name.slice(0, 4)),
    ["j-0-", "j-1-"],
  );
  for (const [index, pod] of pods.entries()) {
    assert.equal(pod.metadata.labels?.[key], String(index));
    assert.equal(pod.metadata.annotations?.[key], String(index));
    assert.equal(stringAt(pod, "spec.hostname"), `j-${index}`);
    assert.deepEqual(pod.metadata.finalizers, ["batch.kubernetes.io/job-tracking"]);
    const env = listAt(listAt(pod, "spec.containers")[0], "env");
    assert.deepEqual(env, [
      { name: "JOB_COMPLETION_INDEX", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: `metadata.labels['${key}']` } } },
    ]);
  }
});

test("with podReplacementPolicy Failed a Pod is replaced when it is gone, not before", async () => {
  const made: Record<string, number> = {};
  for (const policy of ["TerminatingOrFailed", "Failed"]) {
    const cluster = new EmbeddedTestCluster();
    await cluster.create(
      jobs,
      job({ podReplacementPolicy: policy }, { script: "sleep 1000", annotations: { "sim.sluice.dev/terminate-after": "20s" } }),
    );
    await cluster.clock.advance(5000);
    const [pod] = await cluster.list("pods");
    await cluster.delete("pods", pod!.metadata.name);
    await cluster.clock.advance(15_000);
    made[policy] = (await cluster.list("pods")).length;
  }
  assert.deepEqual(made, { TerminatingOrFailed: 2, Failed: 1 });
});

test("a finished Job is deleted with its Pods after its TTL", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(jobs, job({ ttlSecondsAfterFinished: 30 }));
  await cluster.clock.advance(25_000);
  assert.equal((await cluster.list(jobs)).length, 1);
  await cluster.clock.advance(30_000);
  assert.deepEqual([(await cluster.list(jobs)).length, (await cluster.list("pods")).length], [0, 0]);
});

test("a Job that is deleted lets its Pods go", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(jobs, job({ parallelism: 2, completions: 2 }, { script: "sleep 1000" }));
  await cluster.clock.advance(10_000);
  await cluster.delete(jobs, "j");
  await cluster.clock.advance(60_000);
  assert.deepEqual([(await cluster.list(jobs)).length, (await cluster.list("pods")).length], [0, 0]);
});
