import { BadInput, Fault } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { PlanInput, PlanOptions } from "../../plan/index.ts";
import { historyOf, latestOf, missingRelease, objectionToName, releaseText, type Release, type Revision } from "../../record/index.ts";
import type { OperationPolicy } from "../proposal.ts";

/** Helm's field manager, so that Helm and Sluice can deploy the same release in turn. */
export const releaseFieldManager = "helm";

export type AbortOptions = { readonly signal: AbortSignal };

export function planOptions({
  wait = "all",
  forceConflicts = false,
  takeOwnership = false,
  deleteData = false,
}: OperationPolicy): PlanOptions {
  return { wait, force: forceConflicts, takeOwnership, deleteData };
}

export function releaseRevisionOf({ name, namespace, revision }: Revision): NonNullable<PlanInput["release"]> {
  return { name, namespace, revision };
}

export function checkReleaseName({ name }: Release): void {
  const objection = objectionToName(name);
  if (objection !== undefined) throw new BadInput([{ at: "", message: objection }]);
}

/** The revisions that are kept of a release, which may have been deleted. Throws when there is none. */
export async function readKeptRevisions(release: Release, cluster: Cluster, signal: AbortSignal): Promise<readonly Revision[]> {
  checkReleaseName(release);
  const revisions = await historyOf(cluster).revisions(release, { signal });
  if (revisions.length === 0) throw await missingRelease(release, cluster, { signal });
  return revisions;
}

/** The revisions of a release. Throws when there is none, or when it has been deleted. */
export async function readExistingRevisions(release: Release, cluster: Cluster, signal: AbortSignal): Promise<readonly Revision[]> {
  const revisions = await readKeptRevisions(release, cluster, signal);
  if (latestOf(revisions)?.state !== "uninstalled") return revisions;
  const found = `it has been deleted, and only its history is kept: sluice history ${release.name} shows it, sluice rollback ${release.name} brings it back`;
  throw new Fault(`find release ${releaseText(release)}`, found, { final: true });
}
