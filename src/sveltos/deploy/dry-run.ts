import type { ClusterReportStatus, ResourceReport } from "../api/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Verdict } from "../../release/plan/index.ts";
import { deployedResource } from "./configuration.ts";
import type { Making } from "./content.ts";
import { localOwner, readDesire } from "./desire.ts";
import { diffText } from "./diff.ts";
import type { Ledger } from "./ledger.ts";
import type { Placed } from "./place.ts";
import { propose, type Proposal } from "./propose.ts";
import type { AddonOptions, AddonSite, Assignment } from "./request.ts";
import { refsOf, type FeatureResult } from "./resources.ts";
import { all, rehearsed, withGvks, type Change } from "./status.ts";

/** Says what deploying would do, as a ClusterReport tells it. Nothing in the cluster is touched. */
export async function rehearseResources(
  assignment: Assignment,
  making: Making,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): Promise<FeatureResult & { readonly report: ClusterReportStatus }> {
  const { signal } = options;
  const desire = await readDesire(assignment, making, site, options);
  const local = await localOwner(assignment, site.cluster, { signal });
  const proposal = await propose(desire, assignment, ledger, site, { signal, local, inFull: true });
  await ledger.update(all(rehearsed("Resources", desire.hash), gvksFor(ledger, desire.placed)), signal);
  const resourceReports = [...desire.placed.map((piece) => reportOn(piece, proposal, ledger.now())), ...removalsIn(proposal)];
  return { feature: undefined, failed: false, report: { resourceReports } };
}

/** What is deployed already must still be found again: its kinds stay listed. */
function gvksFor(ledger: Ledger, placed: readonly Placed[]): Change {
  return ledger.releaseOf("Resources") === undefined ? withGvks("Resources", refsOf(placed)) : (status) => status;
}

function reportOn(piece: Placed, { conflicts, found }: Proposal, time: string): ResourceReport {
  const resource = deployedResource(piece, time);
  const conflict = conflicts.find((each) => each.piece === piece);
  if (conflict !== undefined) return { action: "Conflict", message: conflict.message, resource };
  const { verdict, exists = false } = found.facts.get(keyOf(piece.ref)) ?? {};
  const { live, next } = found.objects.get(keyOf(piece.ref)) ?? {};
  const action = actionFor(verdict, exists);
  if (action === "Error" && verdict !== undefined && "because" in verdict) return { action, message: verdict.because, resource };
  if (action !== "Update" || live === undefined || next === undefined) return { action, resource };
  return { action, message: diffText(live, next), resource };
}

function actionFor(verdict: Verdict | undefined, exists: boolean): NonNullable<ResourceReport["action"]> {
  if (verdict?.says === "unchanged") return "No Action";
  if (verdict?.says === "refused") return "Error";
  return exists ? "Update" : "Create";
}

function removalsIn({ plan }: Proposal): readonly ResourceReport[] {
  const refs = plan.steps.flatMap(({ action, onlyIf }): ObjectRef[] =>
    action.verb === "delete" && onlyIf === undefined ? [action.ref] : [],
  );
  return refs.map(({ group, version, kind, namespace, name }) => ({
    action: "Delete",
    resource: { group, version, kind, ...(namespace === "" ? {} : { namespace }), name, owner: {}, ignoreForConfigurationDrift: false },
  }));
}
