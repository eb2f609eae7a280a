import assert from "node:assert/strict";
import test from "node:test";
import { conditions, assessCase, testTables } from "../../test/support/health/health-cases.ts";
import { assess } from "./index.ts";

testTables({
  generations: [
    {
      what: "not observed",
      generation: 3,
      status: { observedGeneration: 2, ...conditions("Ready=True") },
      expect: "progressing: generation 3 not yet observed",
    },
    {
      what: "not observed, as text",
      generation: 3,
      status: { observedGeneration: "2", ...conditions("Ready=True") },
      expect: "progressing: generation 3 not yet observed",
    },
    {
      what: "of an object whose generation is not known",
      status: { observedGeneration: -1, ...conditions("Ready=True") },
      expect: "ready",
    },
    { what: "a hash", generation: 3, status: { observedGeneration: "6f7d", ...conditions("Ready=True") }, expect: "ready" },
    {
      what: "under another name",
      generation: 3,
      status: { lastEvaluatedGeneration: 2, phase: "Ready" },
      expect: "progressing: generation 3 not yet observed",
    },
    {
      what: "of a condition",
      generation: 3,
      status: { conditions: [{ type: "Ready", status: "True", observedGeneration: 2 }] },
      expect: "progressing: generation 3 not yet observed",
    },
    {
      what: "of a condition under a current status",
      generation: 3,
      status: { observedGeneration: 3, conditions: [{ type: "Ready", status: "True", observedGeneration: 2 }] },
      expect: "ready",
    },
  ],
  "phases and states": [
    { what: "Running", status: { phase: "Running" }, expect: "ready" },
    {
      what: "in capitals",
      status: { state: "CREATE_FAILED", message: "quota exceeded" },
      expect: "failed: state is CREATE_FAILED: quota exceeded",
    },
    { what: "pending", status: { state: "pending" }, expect: "progressing: state is pending" },
    {
      what: "a sentence",
      status: { phase: "Waiting for the instances to become active" },
      expect: "progressing: phase is Waiting for the instances to become active",
    },
    { what: "a good sentence", status: { phase: "Cluster in healthy state" }, expect: "ready" },
    { what: "colours", status: { health: "yellow", phase: "Ready" }, expect: "progressing: health is yellow" },
    { what: "a compound name", status: { PostgresClusterStatus: "SyncFailed" }, expect: "failed: PostgresClusterStatus is SyncFailed" },
    { what: "a nested health", status: { health: { status: "Healthy" }, sync: { status: "OutOfSync" } }, expect: "ready" },
    { what: "a nested result", status: { jobResult: { status: "successful" } }, kind: "AnsibleJob", expect: "ready" },
    {
      what: "a bad word under a name of its own",
      status: { state: "attached", robustness: "degraded" },
      expect: "progressing: robustness is degraded",
    },
    { what: "it is there", status: { state: "Exists" }, expect: "ready" },
    { what: "it is not there yet", status: { state: "NotFound" }, expect: "progressing: state is NotFound" },
    {
      what: "a stage unknown to us",
      status: { stage: "dashboards", stageStatus: "success" },
      expect: "progressing: stage is dashboards, which is not known to be good or bad",
    },
    { what: "the last operation failed", status: { lastOperationStatus: "Failed" }, expect: "failed: lastOperationStatus is Failed" },
    {
      what: "the last operation went well, which says little",
      status: { lastOperationStatus: "Success" },
      expect: "progressing: its status does not say how it is doing",
    },
    { what: "what it was before says nothing", status: { phase: "Ready", previousPhase: "Failed", lastState: "Error" }, expect: "ready" },
    { what: "not ready in one word", status: { state: "notReady" }, expect: "progressing: state is notReady" },
    { what: "partially failed", status: { phase: "PartiallyFailed" }, expect: "failed: phase is PartiallyFailed" },
    { what: "running is an end", status: { phase: "Running" }, kind: "Database", expect: "ready" },
    { what: "running is the middle of a run", status: { phase: "Running" }, kind: "PipelineRun", expect: "progressing: phase is Running" },
    {
      what: "a run that has started well",
      status: conditions("Created=True", "Running=True"),
      kind: "TrainingJob",
      expect: "progressing: it has not finished yet",
    },
    {
      what: "a run that has ended well",
      status: conditions("Created=True", "Running=False", "Succeeded=True"),
      kind: "TrainingJob",
      expect: "ready",
    },
    { what: "a number", status: { state: 0 }, expect: "progressing: state is 0" },
    { what: "a number with an error", status: { state: 2, reason: "route is invalid" }, expect: "failed: state is 2: route is invalid" },
    { what: "paused by somebody else", status: { phase: "Paused" }, expect: "progressing: phase is Paused" },
    {
      what: "a word unknown to us",
      status: { phase: "Frobnicated" },
      expect: "progressing: phase is Frobnicated, which is not known to be good or bad",
    },
    { what: "a word unknown to us, but Ready", status: { phase: "Frobnicated", ...conditions("Ready=True") }, expect: "ready" },
  ],
  "flags and errors": [
    { what: "ready", status: { ready: true }, expect: "ready" },
    { what: "not ready", status: { ready: false }, expect: "progressing: ready is false" },
    { what: "ready to use", status: { readyToUse: false }, expect: "progressing: readyToUse is false" },
    { what: "as text", status: { ready: "False" }, expect: "progressing: ready is false" },
    { what: "a switch is no sign", status: { ready: true, tls: { enabled: false } }, expect: "ready" },
    {
      what: "an error",
      status: { readyToUse: false, error: { message: "snapshot class is missing" } },
      expect: "failed: snapshot class is missing",
    },
    { what: "a failure message", status: { failureMessage: "no capacity left" }, expect: "failed: no capacity left" },
    { what: "an error of before", status: { phase: "Ready", lastError: "timeout" }, expect: "ready" },
    { what: "healthy is a verdict", status: { healthy: false }, expect: "failed: healthy is false" },
    { what: "a warning", status: { state: "Completed", warning: true }, expect: "ready" },
    { what: "completed, but not passed", status: { state: "Completed", pass: false }, expect: "progressing: pass is false" },
    { what: "an error under a short name", status: { errMsg: "no route to host" }, expect: "failed: no route to host" },
    { what: "what failed, by name", status: { state: "RUNNING", failedTasks: { one: {} } }, expect: "failed: failedTasks: 1" },
    { what: "how often it failed", status: { state: "RUNNING", failedTasks: 1 }, expect: "ready" },
    { what: "an error that a part got over", status: { disks: [{ state: "Healthy", errorMessage: "was full" }] }, expect: "ready" },
    { what: "no error", status: { error: "", ready: true }, expect: "ready" },
  ],
  counts: [
    { what: "too few", spec: { replicas: 3 }, status: { replicas: 3, readyReplicas: 1 }, expect: "progressing: readyReplicas: 1 of 3" },
    { what: "all", spec: { replicas: 3 }, status: { replicas: 3, readyReplicas: 3, updatedReplicas: 3 }, expect: "ready" },
    { what: "too many", spec: { replicas: 1 }, status: { replicas: 2, readyReplicas: 2 }, expect: "progressing: 1 replicas to stop" },
    {
      what: "a partition",
      spec: { replicas: 3, updateStrategy: { partition: 2 } },
      status: { replicas: 3, updatedReplicas: 1, readyReplicas: 3 },
      expect: "ready",
    },
    {
      what: "as a DaemonSet counts",
      status: { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberReady: 1 },
      expect: "progressing: numberReady: 1 of 2",
    },
    { what: "other nouns", status: { phase: "Ready", expectedNodes: 3, availableNodes: 2 }, expect: "progressing: availableNodes: 2 of 3" },
    {
      what: "healthy ones of one expected thing",
      status: { expectedMachines: 3, currentHealthy: 2 },
      expect: "progressing: currentHealthy: 2 of 3",
    },
    { what: "all are healthy", status: { expectedMachines: 3, currentHealthy: 3 }, expect: "ready" },
    { what: "zero is left out", status: { expectedNodes: 3 }, expect: "progressing: expectedNodes is 3, and none is there yet" },
    {
      what: "a part's",
      status: { racks: { a: { members: 3, readyMembers: 3 }, b: { members: 3, readyMembers: 2 } } },
      expect: "progressing: readyMembers: 2 of 3",
    },
    { what: "a fraction", status: { replicas: "1/3" }, expect: "progressing: ready replicas: 1 of 3" },
  ],
  parts: [
    {
      what: "conditions of parents",
      status: { parents: [conditions("Accepted=True"), conditions("Accepted=False(NotAllowed: no listener)")] },
      expect: "failed: Accepted is False: no listener",
    },
    { what: "all parents are well", status: { parents: [conditions("Accepted=True", "ResolvedRefs=True")] }, expect: "ready" },
    {
      what: "a parent that has seen the spec stands for one that has not",
      generation: 2,
      status: {
        parents: [
          { conditions: [{ type: "Accepted", status: "False", reason: "Gone", observedGeneration: 1 }] },
          { conditions: [{ type: "Accepted", status: "True", observedGeneration: 2 }] },
        ],
      },
      expect: "ready",
    },
    {
      what: "states of components",
      status: { components: { core: { status: "HEALTHY" }, edge: { status: "ERROR", error: "no route" } } },
      expect: "failed: status is ERROR",
    },
    { what: "states by name", status: { workerState: { one: "RUNNING", two: "FAILED" } }, expect: "failed: two is FAILED" },
    {
      what: "Ready has taken them into account",
      status: {
        ...conditions("Ready=True"),
        parents: [conditions("Accepted=False(NotAllowed)")],
        racks: [{ members: 3, readyMembers: 2 }],
      },
      expect: "ready",
    },
    {
      what: "Ready, but a part says that it failed",
      status: { ...conditions("Ready=True"), checks: [{ state: "Failed" }] },
      expect: "failed: state is Failed",
    },
    {
      what: "Ready, but a part is at work",
      status: { ...conditions("Ready=True"), checks: [{ phase: "pending" }] },
      expect: "progressing: phase is pending",
    },
    {
      what: "Ready, but a part failed while another is at work",
      status: { ...conditions("Ready=True"), checks: [{ phase: "failed" }, { phase: "pending" }] },
      expect: "progressing: phase is pending",
    },
    {
      what: "Ready, and a part was at work",
      status: { ...conditions("Ready=True"), phaseTransitionTimestamps: [{ phase: "Pending" }] },
      expect: "ready",
    },
  ],
  "suspension by the spec": [
    {
      what: "suspend",
      spec: { suspend: true },
      status: conditions("Ready=False(Failed)"),
      expect: "ready: suspended: spec.suspend is true",
    },
    { what: "paused", spec: { paused: true }, expect: "ready: suspended: spec.paused is true" },
    {
      what: "a strategy",
      spec: { updateStrategy: { paused: true } },
      status: { replicas: 0 },
      expect: "ready: suspended: spec.updateStrategy.paused is true",
    },
    {
      what: "the state asked for",
      spec: { job: { state: "suspended" } },
      status: { state: "MISSING" },
      expect: "ready: suspended: spec.job.state is suspended",
    },
    {
      what: "not to run",
      spec: { running: false },
      status: conditions("Ready=False(Stopped)"),
      expect: "ready: suspended: spec.running is false",
    },
    { what: "a strategy of rest", spec: { runStrategy: "Halted" }, expect: "ready: suspended: spec.runStrategy is Halted" },
    {
      what: "not at rest yet",
      spec: { running: false },
      status: { printableStatus: "Stopping" },
      expect: "progressing: suspended: spec.running is false, and printableStatus is Stopping",
    },
    { what: "a setting of that name", spec: { versioning: { status: "Suspended" } }, status: conditions("Ready=True"), expect: "ready" },
    { what: "not suspended", spec: { suspend: false }, status: conditions("Ready=True"), expect: "ready" },
  ],
  silence: [
    { what: "no status", expect: "progressing: no status yet" },
    { what: "an empty status", status: {}, expect: "progressing: no status yet" },
    { what: "a status that says nothing", status: { url: "http://it" }, expect: "progressing: its status does not say how it is doing" },
    { what: "what runs by the clock", kind: "CronWorkflow", expect: "ready" },
  ],
});

test("a missing status is marked, so that callers can stop waiting", () => {
  for (const status of [undefined, {}, { url: "http://it" }, { phase: "Frobnicated" }]) {
    const health = assessCase(status === undefined ? {} : { status });
    assert.deepEqual([health.state, health.state === "progressing" && health.silent], ["progressing", true]);
  }
});

test("a kind without a status is ready by being there", () => {
  const object = { apiVersion: "example.org/v1", kind: "Widget", metadata: { name: "it" } };
  assert.deepEqual(assess(object, { hasStatus: false }), { state: "ready" });
});
