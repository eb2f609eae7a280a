import { conditions, testTables } from "../../test/support/health/health-cases.ts";

testTables({
  "conditions that sum up": [
    { what: "Ready is True", status: conditions("Ready=True"), expect: "ready" },
    { what: "Ready is Unknown", status: conditions("Ready=Unknown(Deploying)"), expect: "progressing: Ready is Unknown: Deploying" },
    {
      what: "a reason of failure",
      status: conditions("Ready=False(InstallFailed: no such chart)"),
      expect: "failed: Ready is False: no such chart",
    },
    { what: "a reason of work", status: conditions("Ready=False(Provisioning)"), expect: "progressing: Ready is False: Provisioning" },
    {
      what: "a message of failure",
      status: conditions("Ready=False(NotReady: failed to resolve host)"),
      expect: "failed: Ready is False: failed to resolve host",
    },
    {
      what: "a message that opens with waiting",
      status: conditions("Ready=False(X: Waiting for the failed node to return)"),
      expect: "progressing: Ready is False: Waiting for the failed node to return",
    },
    { what: "Ready beside a part that is not", status: conditions("Ready=True", "BackupReady=False(NoBackup)"), expect: "ready" },
    {
      what: "Ready beside a claim that failed",
      status: conditions("Ready=True", "Synced=False(ReconcileError: access denied)"),
      expect: "failed: Synced is False: access denied",
    },
    {
      what: "NotReady is Ready the other way round",
      status: conditions("NotReady=True(Creating)"),
      expect: "progressing: NotReady is True: Creating",
    },
    {
      what: "NotReady for a bad reason",
      status: conditions("NotReady=True(FatalProblem: disk is gone)"),
      expect: "failed: NotReady is True: disk is gone",
    },
    {
      what: "a status word instead of True or False",
      status: conditions("Available=Degraded(QuorumLost)"),
      expect: "failed: Available is Degraded: QuorumLost",
    },
    {
      what: "a status word and a reason of waiting",
      status: conditions("Available=Degraded(SomePodsNotReady)"),
      expect: "progressing: Available is Degraded: SomePodsNotReady",
    },
    {
      what: "complete because it failed",
      status: conditions("Complete=True(JobFailed: exit code 1)"),
      expect: "failed: Complete is True: exit code 1",
    },
    {
      what: "partly ready, and why not wholly",
      status: conditions("PartiallyReady=True(X: two namespaces failed)"),
      expect: "failed: PartiallyReady is True: two namespaces failed",
    },
    { what: "partly ready once, wholly now", status: conditions("PartiallyReady=True", "Ready=True"), expect: "ready" },
    {
      what: "what it refers to does not exist, which may change",
      status: conditions("Ready=False(ConfigMapNotFound: config map x does not exist)"),
      expect: "progressing: Ready is False: config map x does not exist",
    },
    { what: "not valid, without a word", status: conditions("Valid=False"), expect: "failed: Valid is False" },
    { what: "not in sync, without a word", status: conditions("Synced=False"), expect: "progressing: Synced is False" },
    { what: "not in sync, and why", status: conditions("Synced=False(X: no key fits)"), expect: "failed: Synced is False: no key fits" },
    {
      what: "Unknown for a bad reason",
      status: conditions("Ready=Unknown(TriggerError)"),
      expect: "progressing: Ready is Unknown: TriggerError",
    },
    {
      what: "not accepted means refused",
      status: conditions("Accepted=False(NoMatch: nobody wants it)"),
      expect: "failed: Accepted is False: nobody wants it",
    },
    { what: "not accepted yet", status: conditions("Accepted=False(Pending)"), expect: "progressing: Accepted is False: Pending" },
    { what: "scaled to zero is not unhealthy", status: conditions("Ready=True", "Active=False(ScalerNotActive)"), expect: "ready" },
  ],
  "conditions of bad news": [
    {
      what: "Stalled",
      status: conditions("Ready=False(Retrying)", "Stalled=True(Exhausted: gave up after 5 tries)"),
      expect: "failed: Stalled is True: gave up after 5 tries",
    },
    {
      what: "Degraded beside Available",
      status: conditions("Available=True", "Degraded=True(OneDown: one of three is down)"),
      expect: "failed: Degraded is True: one of three is down",
    },
    { what: "a failure that is not", status: conditions("Failed=False", "Ready=True"), expect: "ready" },
    { what: "only news of no failure", status: conditions("SpecError=False"), expect: "ready" },
    { what: "a warning is not a failure", status: conditions("Ready=True", "Warning=True(Deprecated: use v2)"), expect: "ready" },
    { what: "warnings are no lack", status: conditions("ClusterAvailable=True", "NoWarnings=False(LimitNotRequest)"), expect: "ready" },
    {
      what: "a type unknown to us, failed",
      status: conditions("LastAsyncOperation=False(AsyncCreateFailure: no permission)"),
      expect: "failed: LastAsyncOperation is False: no permission",
    },
  ],
  "conditions of work": [
    {
      what: "Reconciling",
      status: conditions("Ready=True", "Reconciling=True(NewGeneration)"),
      expect: "progressing: Reconciling is True: NewGeneration",
    },
    { what: "Progressing, and arrived", status: conditions("Available=True", "Progressing=True(NewReplicaSetAvailable)"), expect: "ready" },
    {
      what: "Progressing has failed",
      status: conditions("Available=True", "Progressing=False(DeadlineExceeded: took too long)"),
      expect: "failed: Progressing is False: took too long",
    },
    { what: "scaling up is not being up", status: conditions("Available=True", "ScalingUp=False", "ScalingDown=False"), expect: "ready" },
    {
      what: "Updating",
      status: conditions("Updated=False", "Updating=True(Rolling: 2 of 3 nodes)"),
      expect: "progressing: Updated is False",
    },
    {
      what: "an operator that reconciles",
      status: conditions("Running=True(Running: Reconciling)"),
      expect: "progressing: Running is True: Reconciling",
    },
    {
      what: "an operator that has only begun",
      status: conditions("Running=True(Running: Creating the StatefulSet)"),
      expect: "progressing: Running is True: Creating the StatefulSet",
    },
    { what: "a noun in -ing", status: conditions("Applied=True(X: Binding has been applied)"), expect: "ready" },
    { what: "something is missing", status: conditions("PlanMissing=True"), expect: "progressing: PlanMissing is True" },
    {
      what: "history that nobody took back",
      status: {
        state: "ready",
        conditions: [
          { type: "initializing", status: "True", lastTransitionTime: "2024-01-01T00:00:00Z" },
          { type: "ready", status: "True", lastTransitionTime: "2024-01-01T00:05:00Z" },
        ],
      },
      expect: "ready",
    },
  ],
  severity: [
    {
      what: "Info",
      status: { conditions: [{ type: "Ready", status: "False", severity: "Info", reason: "ScalingUp" }] },
      expect: "progressing: Ready is False: ScalingUp",
    },
    {
      what: "Error",
      status: { conditions: [{ type: "Ready", status: "False", severity: "Error", reason: "Odd" }] },
      expect: "failed: Ready is False: Odd",
    },
  ],
  "conditions without a summary": [
    { what: "all parts are well", status: conditions("Configured=True", "PodsHealthy=True"), expect: "ready" },
    {
      what: "a part is not yet",
      status: conditions("Configured=True", "Deployed=False(Deploying)"),
      expect: "progressing: Deployed is False: Deploying",
    },
    {
      what: "a part has failed",
      status: conditions("Configured=True", "UpgradeSucceeded=False(Failed: image is gone)"),
      expect: "failed: UpgradeSucceeded is False: image is gone",
    },
    {
      what: "no more than begun",
      status: conditions("Launched=True", "Registered=True"),
      expect: "progressing: Registered is True, and no more yet",
    },
    { what: "scheduled, as a condition, is achieved", status: conditions("Scheduled=True", "FullyApplied=True"), expect: "ready" },
  ],
});
