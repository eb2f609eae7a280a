import type { Cluster } from "../../kube/index.ts";
import { run } from "../apply/index.ts";
import type { Story } from "../index.ts";
import { historyOf, type Hold, type Release } from "../record/index.ts";
import { restsOn } from "./basis.ts";
import { carryOut, type CarryOutOptions } from "./carry-out.ts";
import { tidy } from "./keeper.ts";
import { lease, type LeaseOptions } from "./lease.ts";
import { makeNamespace } from "./namespace.ts";
import type { Proposal } from "./proposal.ts";
import {
  manager,
  proposeDelete,
  proposeDeploy,
  proposeRollback,
  proposeTest,
  type DeployRequest,
  type ReleaseRequest,
  type RollbackRequest,
} from "./propose/index.ts";

export type OperationOptions = CarryOutOptions & Omit<LeaseOptions, "timeoutMs">;

export type DeployOptions = OperationOptions & {
  /** A deploy that fails is undone: back to the revision before, or, of the first one, away with it. Default false. */
  readonly autoRollback?: boolean;
  /** Told what was settled, before anything is touched. */
  readonly proposed?: (proposal: Proposal) => void;
};

/** Brings a release to what its manifests say, and removes what left it. When nothing changed, nothing is written. */
export async function* deploy(request: DeployRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Story> {
  const { signal, proposed } = options;
  const propose = () => proposeDeploy(request, cluster, options);
  const first = await propose();
  proposed?.(first);
  if (first.createsNamespace) await makeNamespace(request.release.namespace, cluster, { signal, manager });
  // The cluster can judge more of it now that there is a place for it.
  const proposal = first.createsNamespace ? await propose() : first;
  if (!proposal.unchanged || proposal.untidy === true)
    return yield* guarded(request.release, cluster, options, proposal, propose, undone(request.release, cluster, options));
  yield* settledAlready(proposal, cluster, options);
}

/** Goes back to an earlier revision, as a new one. */
export async function* rollback(request: RollbackRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Story> {
  yield* simply(request.release, () => proposeRollback(request, cluster, options), cluster, options);
}

/** Deletes a release in the mirror image of its installation, and its records last. */
export async function* remove(request: ReleaseRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Story> {
  yield* simply(request.release, () => proposeDelete(request, cluster, options), cluster, options);
}

/** Runs the test hooks of a release. */
export async function* test(request: ReleaseRequest, cluster: Cluster, options: DeployOptions): AsyncGenerator<Story> {
  yield* simply(request.release, () => proposeTest(request, cluster, options), cluster, options);
}

/** Does exactly what was proposed, once the Lease is held and `check` has nothing against it. */
export async function* execute(
  proposal: Proposal,
  check: () => Promise<void>,
  cluster: Cluster,
  options: DeployOptions,
): AsyncGenerator<Story> {
  const hold = yield* lease(cluster, proposal.release, leaseOptions(options));
  try {
    await check();
    yield* carriedOut(proposal, cluster, hold, options, undone(proposal.release, cluster, options));
  } finally {
    await hold.release();
  }
}

async function* simply(
  release: Release,
  propose: () => Promise<Proposal>,
  cluster: Cluster,
  options: DeployOptions,
): AsyncGenerator<Story> {
  const proposal = await propose();
  options.proposed?.(proposal);
  yield* guarded(release, cluster, options, proposal, propose);
}

/** What is done about a failure, while the Lease is still held. */
type Undo = (failure: string, hold: Hold) => AsyncGenerator<Story>;

/** Carries a proposal out under the Lease; when somebody else was at work in the meantime, it is drawn up anew. */
async function* guarded(
  release: Release,
  cluster: Cluster,
  options: DeployOptions,
  proposal: Proposal,
  propose: () => Promise<Proposal>,
  undo?: Undo,
): AsyncGenerator<Story> {
  const { signal } = options;
  const hold = yield* lease(cluster, release, leaseOptions(options));
  try {
    const revisions = await historyOf(cluster).revisions(release, { signal });
    const current = restsOn(proposal.basis, revisions) ? proposal : await propose();
    yield* carriedOut(current, cluster, hold, options, undo);
  } finally {
    await hold.release();
  }
}

async function* carriedOut(
  proposal: Proposal,
  cluster: Cluster,
  hold: Hold,
  options: DeployOptions,
  undo: Undo | undefined,
): AsyncGenerator<Story> {
  if (proposal.untidy === true) await tidy(historyOf(cluster), proposal.revision, options, options.signal);
  if (proposal.unchanged) return yield* settledAlready(proposal, cluster, options);
  for await (const event of carryOut(proposal, cluster, hold, options)) {
    if (event.type === "done" && event.status === "failed" && undo !== undefined) yield* undo(event.because ?? "", hold);
    else yield event;
  }
}

/** Goes back to the revision that is still deployed, or deletes what never was. */
function undone(release: Release, cluster: Cluster, options: DeployOptions): Undo | undefined {
  if (options.autoRollback !== true) return undefined;
  return async function* (failure, hold) {
    const revisions = await historyOf(cluster).revisions(release, options);
    const hasDeployed = revisions.some(({ state }) => state === "deployed");
    const request = { release, wait: "all" } as const;
    const proposal = hasDeployed ? await proposeRollback(request, cluster, options) : await proposeDelete(request, cluster, options);
    let end: Story | undefined;
    for await (const event of carryOut(proposal, cluster, hold, options)) {
      if (event.type === "done") end = event;
      else yield event;
    }
    const good = end?.type === "done" && (end.status === "deployed" || end.status === "deleted");
    const how = hasDeployed ? `rolled back to ${proposal.revision.description.replace("Rollback to", "revision")}` : "deleted again";
    const bad = end?.type === "done" && end.status !== "stopped" ? `undoing it failed too: ${end.because ?? ""}` : "undoing it was stopped";
    yield { type: "done", status: "failed", because: `${failure}; ${good ? how : bad}` };
  };
}

/** A release that is as it should be: what is not ready yet is waited for, and no revision is written. */
async function* settledAlready({ plan }: Proposal, cluster: Cluster, options: CarryOutOptions): AsyncGenerator<Story> {
  yield { type: "planned", plan };
  const { signal, timeoutMs } = options;
  for await (const event of run(plan, { cluster, manager }, { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) })) {
    yield event.type === "done" && event.status === "deployed" ? { ...event, status: "unchanged" } : event;
  }
}

function leaseOptions({ identity, hasDied, signal, timeoutMs }: DeployOptions): LeaseOptions {
  return { identity, signal, ...(hasDied === undefined ? {} : { hasDied }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}
