import type { Cluster } from "../../kube/index.ts";
import { keyOf } from "../../core/object/index.ts";
import { objectDiffs, type ObjectDiff, type Proposal } from "../deploy/index.ts";
import { deployedOf, historyOf } from "../record/index.ts";
import { compareRevisions } from "./compare-revisions.ts";

type ProposalDiffOptions = {
  readonly signal: AbortSignal;
  /** Default false. */
  readonly noHooks?: boolean;
};

/**
 * What an operation would change. Hooks run in any case and many are gone when they have, so they are compared with those of
 * the deployed revision; every other object is compared with the live one.
 */
export async function readProposalDiffs(
  proposal: Proposal,
  cluster: Cluster,
  { signal, noHooks = false }: ProposalDiffOptions,
): Promise<readonly ObjectDiff[]> {
  const hooks = new Set(proposal.plan.steps.flatMap(({ action, hook }) => (hook === true && "ref" in action ? [keyOf(action.ref)] : [])));
  const resources = objectDiffs(proposal).filter(({ ref }) => !hooks.has(keyOf(ref)));
  if (noHooks) return resources;
  const deployed = deployedOf(await historyOf(cluster).revisions(proposal.release, { signal }));
  const before = deployed ?? { ...proposal.revision, manifest: "", hooks: [] };
  return [...resources, ...(await compareRevisions(before, proposal.revision, cluster, { only: "hooks" }))];
}
