import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { keyOf, titleOf, type KubeObject } from "../../core/object/index.ts";
import { deferChecks, type Plan, type DryRunResult, type Refused } from "../plan/index.ts";
import type { Progress } from "../index.ts";
import { goneReleasesIn, historyOf, releaseText, type Revision } from "../record/index.ts";
import { readLive, type LiveState, type LiveQuery } from "../live/index.ts";
import { checkPlanBasis } from "./plan-basis.ts";
import { objectionToIdentity } from "./cluster-identity.ts";
import { namespaceRef } from "../prepare/index.ts";
import { ensureNamespace } from "./release-namespace.ts";
import { executeProposal, type DeployOptions } from "./deploy.ts";
import type { PlannedObject } from "./planned-object.ts";
import type { Proposal } from "./proposal.ts";
import { releaseFieldManager } from "./propose/index.ts";
import type { SavedPlan } from "./saved-plan.ts";

/**
 * Runs exactly the saved plan, or throws: on another cluster, after another revision of the release, or when a touched
 * object has changed. Checks before taking the Lease, so that a refusal leaves no trace, and again while holding it.
 */
export async function* usePlan(saved: SavedPlan, cluster: Cluster, options: DeployOptions): AsyncGenerator<Progress> {
  const { proposal, keepHistory = false } = saved;
  const { signal } = options;
  const { namespace } = proposal.release;
  await checkSavedPlan(saved, cluster, signal);
  options.proposed?.(proposal);
  if (proposal.createsNamespace) await ensureNamespace(namespace, cluster, { signal, manager: releaseFieldManager });
  const rest = proposal.createsNamespace ? withoutObject(saved, keyOf(namespaceRef(namespace))) : saved;
  const started = { ...proposal, revision: startedNow(proposal, cluster.clock.now()) };
  const check = async () => void (await checkSavedPlan(rest, cluster, signal));
  yield* executeProposal(started, check, cluster, { ...options, keepHistory });
}

/** Ignores the namespace that was just created for this plan. */
function withoutObject({ proposal, ...saved }: SavedPlan, key: string): SavedPlan {
  const objects = proposal.basis.objects.filter(({ ref }) => keyOf(ref) !== key);
  return { ...saved, proposal: { ...proposal, basis: { ...proposal.basis, objects } } };
}

/** A new revision starts when the plan is run, not when it was saved. */
function startedNow({ operation, revision, unchanged }: Proposal, nowMs: number): Revision {
  if (unchanged || revision.stored !== undefined) return revision;
  const at = new Date(nowMs).toISOString();
  return { ...revision, lastDeployed: at, ...(operation === "install" ? { firstDeployed: at } : {}) };
}

/** Throws when a saved plan does not fit. Otherwise returns its objects with what is live of them. */
export async function checkSavedPlan(
  { cluster: identity, proposal }: SavedPlan,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<readonly PlannedObject[]> {
  const { release, basis, plan } = proposal;
  const refused = (why: string) => new Fault(`use the plan for release ${releaseText(release)}`, why, { final: true });
  const mismatch = await objectionToIdentity(identity, cluster, { signal });
  if (mismatch !== undefined) throw refused(mismatch);
  const manifests = appliedBy(plan);
  const items = proposal.objects.map(({ ref, sensitive }): LiveQuery => {
    const manifest = manifests.get(keyOf(ref));
    return manifest === undefined ? { ref } : { ref, manifest, sensitive };
  });
  const force = plan.steps.some(({ action }) => action.verb === "apply" && action.force);
  const takeOver = plan.steps.some(({ action }) => action.verb === "apply" && action.clientSideManagers !== undefined) ? "all" : "own";
  const [revisions, found] = await Promise.all([
    historyOf(cluster).revisions(release, { signal }),
    readLive(items, cluster, { signal, manager: releaseFieldManager, force, takeOver, isGone: goneReleasesIn(cluster, signal) }),
  ]);
  checkPlanBasis(basis, release, revisions, found);
  const objections = dryRunObjectionsIn(proposal, found);
  if (objections.length > 0) throw refused(`${objections.join(", ")}: draw up the plan again with sluice plan --save`);
  return proposal.objects.map((planned) => ({ ...planned, ...found.objects.get(keyOf(planned.ref)) }));
}

/** Manifests that are applied without another object going first: a dry run can check those. */
function appliedBy({ steps }: Plan): ReadonlyMap<string, KubeObject> {
  const applied = steps.flatMap(({ action }) =>
    action.verb === "apply" && !action.replace && action.deleting === undefined ? [[keyOf(action.ref), action.manifest] as const] : [],
  );
  return new Map(applied);
}

/**
 * Field managers and admission are not part of an object's content, but can block the plan as well. A refusal that an
 * earlier step of the plan may cure does not.
 */
function dryRunObjectionsIn({ basis, plan, release, createsNamespace }: Proposal, { facts }: LiveState): readonly string[] {
  const refusals = basis.objects.flatMap(({ ref }) => {
    const dryRun = facts.get(keyOf(ref))?.dryRun;
    const refused = dryRun === undefined ? undefined : refusalIn(dryRun);
    return refused === undefined ? [] : [{ ref, refused }];
  });
  if (refusals.length === 0) return [];
  // An object in two stages is checked before the first.
  const applied = new Map(
    plan.steps.toReversed().flatMap(({ id, action }) => (action.verb === "apply" ? [[keyOf(action.ref), id] as const] : [])),
  );
  const unchecked = refusals.map(({ ref, refused }) => ({ id: applied.get(keyOf(ref)) ?? "", refused, ref }));
  const { incurable } = deferChecks(plan.steps, unchecked);
  const isComing = ({ cures = [] }: Refused) =>
    createsNamespace && cures.some((cure) => cure.by === "object" && cure.kind === "Namespace" && cure.name === release.namespace);
  return incurable.filter(({ step }) => !isComing(step.refused)).map(({ step }) => `${titleOf(step.ref)}: ${step.refused.because}`);
}

function refusalIn(dryRun: DryRunResult): Refused | undefined {
  if (dryRun.outcome === "conflict")
    return { because: dryRun.conflicts.map(({ field, manager: owner }) => `${field} belongs to ${owner} now`).join(", ") };
  return "because" in dryRun ? dryRun : undefined;
}
