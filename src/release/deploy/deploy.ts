import type { Cluster } from "../../kube/index.ts";
import { runPlan, type RunPlanOptions } from "../apply/index.ts";
import type { Progress } from "../index.ts";
import { historyOf, type HeldLease, type Release, type Revision } from "../record/index.ts";
import { isBasedOn } from "./plan-basis.ts";
import { OperationRecordings, type RecordingOptions } from "./operation-recordings.ts";
import { objectsOf, runPlanOptionsOf, runProposal, type RecordedRunOptions, type RunProposalOptions } from "./run-proposal.ts";
import { pruneHistory } from "./revision-recorder.ts";
import { waitForReleaseLease, type ReleaseLeaseOptions } from "./wait-for-release-lease.ts";
import { waitForHelm, type HelmWaitOptions } from "./wait-for-helm.ts";
import { writeWhileHeld } from "./write-while-held.ts";
import { leftBehindText } from "./left-behind.ts";
import { ensureNamespace } from "./release-namespace.ts";
import type { Proposal } from "./proposal.ts";
import {
  releaseFieldManager,
  proposeDelete,
  proposeDeploy,
  proposeRedeploy,
  proposeRollback,
  proposeTest,
  readDeletedRevisions,
  type DeleteRequest,
  type DeployRequest,
  type ReleaseRequest,
  type RollbackRequest,
} from "./propose/index.ts";

type LeaseCheck = {
  /** Is called with the revisions while the Lease is held, before anything changes; it throws when nothing may. Default: all may. */
  readonly check?: (revisions: readonly Revision[]) => Promise<void>;
};

type OperationOptions = LeaseCheck & RunProposalOptions & Omit<ReleaseLeaseOptions, "timeoutMs"> & Pick<HelmWaitOptions, "takeOverPending">;

export type DeployOptions = OperationOptions & {
  /** Keeps a recording of what is done beside the record. Default: none is kept. */
  readonly recording?: RecordingOptions;
  /** Rolls a failed deploy back to the previous revision, or deletes a failed first one. Default false. */
  readonly autoRollback?: boolean;
  /** Is called with the proposal before anything changes. */
  readonly proposed?: (proposal: Proposal) => void;
};

/** Deploys manifests as a release and prunes what left it. Writes nothing when nothing changed. */
export async function* deploy(request: DeployRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Progress> {
  const { signal, proposed } = options;
  const propose = () => proposeDeploy(request, cluster, options);
  const first = await propose();
  proposed?.(first);
  if (first.createsNamespace) await ensureNamespace(request.release.namespace, cluster, { signal, manager: releaseFieldManager });
  // Now that the namespace exists, a dry run checks more.
  const proposal = first.createsNamespace ? await propose() : first;
  const undo = rollbackOnFailure({ ...request, createsNamespace: first.createsNamespace }, cluster, options);
  if (!proposal.unchanged || proposal.untidy === true)
    return yield* runUnderLease(request.release, cluster, options, proposal, propose, undo);
  yield* awaitOrDeploy(proposal, cluster, options, async function* () {
    yield* runUnderLease(request.release, cluster, options, await propose(), propose, undo);
  });
}

/** Waits for an unchanged release without the Lease, so nothing may be written: what is deleted meanwhile is deployed again under it. */
async function* awaitOrDeploy(
  proposal: Proposal,
  cluster: Cluster,
  options: DeployOptions,
  deployAgain: () => AsyncGenerator<Progress>,
): AsyncGenerator<Progress> {
  let deleted = false;
  const onDeleted = () => void (deleted = true);
  for await (const event of awaitUnchanged(proposal, cluster, { ...options, onDeleted })) {
    if (event.type === "done" && event.status === "failed" && deleted) yield* deployAgain();
    else yield event;
  }
}

/** Rolls back to an earlier revision, as a new revision. */
export async function* rollback(request: RollbackRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Progress> {
  yield* proposeAndRun(request.release, () => proposeRollback(request, cluster, options), cluster, options);
}

/** Deploys the content of the latest revision again, as a new one, or carries on what was interrupted. */
export async function* redeploy(request: ReleaseRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Progress> {
  // Whether an interrupted deletion was to keep the records is not known.
  yield* proposeAndRun(request.release, () => proposeRedeploy(request, cluster, options), cluster, { ...options, keepHistory: true });
}

/**
 * Deletes a release in the reverse order of its installation, and its records last. A release that exists is always changed,
 * so its Lease is taken while its objects are still read.
 */
export async function* uninstallRelease(request: DeleteRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Progress> {
  const revisions = await readDeletedRevisions(request, cluster, options);
  const proposal = proposeDelete(request, cluster, options, revisions).then((proposed) => {
    options.proposed?.(proposed);
    return proposed;
  });
  yield* runUnderLease(request.release, cluster, options, proposal, () => proposeDelete(request, cluster, options));
}

/** Runs the test hooks of a release. */
export async function* test(request: ReleaseRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Progress> {
  yield* proposeAndRun(request.release, () => proposeTest(request, cluster, options), cluster, options);
}

/** Runs exactly this proposal, after taking the Lease and calling `check`. */
export async function* executeProposal(
  proposal: Proposal,
  check: () => Promise<void>,
  cluster: Cluster,
  options: DeployOptions,
): AsyncGenerator<Progress> {
  const recorded = withRecordings(cluster, options);
  const lease = yield* waitForReleaseLease(cluster, proposal.release, leaseOptions(options));
  try {
    yield* waitForHelm(cluster, proposal.release, helmWaitOptions(options, lease));
    await check();
    yield* runOrSkip(proposal, cluster, lease, recorded, rollbackOnFailure(proposal, cluster, options));
  } finally {
    await Promise.all([lease.release(), recorded.recordings?.close()]);
  }
}

async function* proposeAndRun(
  release: Release,
  propose: () => Promise<Proposal>,
  cluster: Cluster,
  options: DeployOptions,
): AsyncGenerator<Progress> {
  const proposal = await propose();
  options.proposed?.(proposal);
  yield* runUnderLease(release, cluster, options, proposal, propose);
}

/** Handles a failure while the Lease is still held. */
type OnFailure = (failure: string, lease: HeldLease, options: RecordedRunOptions) => AsyncGenerator<Progress>;

function withRecordings(cluster: Cluster, options: DeployOptions): DeployOptions & RecordedRunOptions {
  return options.recording === undefined ? options : { ...options, recordings: new OperationRecordings(cluster, options.recording) };
}

/** Runs a proposal, which may be under way, under the Lease, and proposes again when the records have changed in between. */
async function* runUnderLease(
  release: Release,
  cluster: Cluster,
  options: DeployOptions,
  proposal: Proposal | Promise<Proposal>,
  propose: () => Promise<Proposal>,
  onFailure?: OnFailure,
): AsyncGenerator<Progress> {
  // A proposal that fails is not kept back until another holder ends.
  const refused = new AbortController();
  Promise.resolve(proposal).catch((error: unknown) => refused.abort(error));
  const signal = AbortSignal.any([options.signal, refused.signal]);
  const recorded = withRecordings(cluster, options);
  const lease = yield* waitForReleaseLease(cluster, release, leaseOptions({ ...options, signal }));
  try {
    const revisions = yield* waitForHelm(cluster, release, helmWaitOptions(options, lease));
    await options.check?.(revisions);
    const first = await proposal;
    const current = isBasedOn(first.basis, revisions) ? first : await propose();
    yield* runOrSkip(current, cluster, lease, recorded, onFailure);
  } finally {
    await Promise.all([lease.release(), recorded.recordings?.close()]);
  }
}

async function* runOrSkip(
  proposal: Proposal,
  cluster: Cluster,
  lease: HeldLease,
  options: DeployOptions & RecordedRunOptions,
  onFailure: OnFailure | undefined,
): AsyncGenerator<Progress> {
  if (proposal.untidy === true) await pruneHistory(historyOf(writeWhileHeld(cluster, lease)), proposal.revision, options, options.signal);
  if (proposal.unchanged) return yield* awaitUnchanged(proposal, cluster, options);
  for await (const event of runProposal(proposal, cluster, lease, options)) {
    if (event.type === "done" && event.status === "failed" && onFailure !== undefined)
      yield* onFailure(event.because ?? "", lease, options);
    else yield event;
  }
}

/** What may have to be undone. `createsNamespace`: its namespace was created for it. Default false. */
type Undoable = Pick<DeployRequest, "release" | "noHooks"> & Partial<Pick<Proposal, "createsNamespace">>;

/** Rolls back to the revision that is still deployed, or deletes a release that never was. */
function rollbackOnFailure(
  { release, noHooks = false, createsNamespace = false }: Undoable,
  cluster: Cluster,
  options: DeployOptions,
): OnFailure | undefined {
  if (options.autoRollback !== true) return undefined;
  return async function* (failure, lease, recorded) {
    const revisions = await historyOf(cluster).revisions(release, options);
    const hasDeployed = revisions.some(({ state }) => state === "deployed");
    const request = { release, wait: "all", noHooks } as const;
    const proposal = hasDeployed ? await proposeRollback(request, cluster, options) : await proposeDelete(request, cluster, options);
    const target = proposal.revision.description.replace("Rollback to", "revision");
    const because = `${failure}; ${hasDeployed ? `rolling back to ${target}` : "deleting the release again"}`;
    let end: Progress | undefined;
    for await (const event of runProposal(proposal, cluster, lease, recorded)) {
      if (event.type === "done") end = event;
      else yield event.type === "planned" ? { ...event, because } : event;
    }
    const good = end?.type === "done" && (end.status === "deployed" || end.status === "deleted");
    const left = hasDeployed || !good ? "" : await leftBehindText(release, revisions, createsNamespace, cluster, options);
    const how = hasDeployed ? `rolled back to ${target}` : left === "" ? "deleted again" : `deleted again; ${left}`;
    const bad = end?.type === "done" && end.status !== "stopped" ? `undoing it failed too: ${end.because ?? ""}` : "undoing it was stopped";
    yield { type: "done", status: "failed", because: `${failure}; ${good ? how : bad}`, ...(good ? { undone: true } : {}) };
  };
}

/** Waits for the objects of an unchanged release. Writes no revision. */
async function* awaitUnchanged(
  proposal: Proposal,
  cluster: Cluster,
  options: RunProposalOptions & Pick<RunPlanOptions, "onDeleted">,
): AsyncGenerator<Progress> {
  const { plan } = proposal;
  yield { type: "planned", plan };
  const { signal, onDeleted } = options;
  for await (const event of runPlan(
    plan,
    { cluster, manager: releaseFieldManager, objects: objectsOf(proposal) },
    { signal, ...runPlanOptionsOf(options), ...(onDeleted === undefined ? {} : { onDeleted }) },
  )) {
    yield event.type === "done" && event.status === "deployed" ? { ...event, status: "unchanged" } : event;
  }
}

function leaseOptions({ identity, hasDied, signal, timeoutMs, leaseDurationMs }: DeployOptions): ReleaseLeaseOptions {
  return {
    identity,
    signal,
    ...(hasDied === undefined ? {} : { hasDied }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(leaseDurationMs === undefined ? {} : { leaseDurationMs }),
  };
}

function helmWaitOptions({ signal, timeoutMs, takeOverPending }: DeployOptions, { lost }: HeldLease): HelmWaitOptions {
  return {
    signal: AbortSignal.any([signal, lost]),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(takeOverPending === undefined ? {} : { takeOverPending }),
  };
}
