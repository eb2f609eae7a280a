import { Fault } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { manifestsInRevision, prepare } from "../../prepare/index.ts";
import { latestOf, releaseText, type RecordedOperation, type Revision } from "../../record/index.ts";
import type { Proposal } from "../proposal.ts";
import { redeployDescription } from "../redeploy-description.ts";
import { readExistingRevisions, type AbortOptions } from "./proposal-input.ts";
import { proposeDelete, type ReleaseRequest } from "./propose-delete.ts";
import { proposeRevision } from "./propose-revision.ts";

/**
 * Proposes to deploy the content of the latest revision again, as a new revision. One that was interrupted is carried on
 * instead, whatever it was doing.
 */
export async function proposeRedeploy(request: ReleaseRequest, cluster: Cluster, options: AbortOptions): Promise<Proposal> {
  const { release } = request;
  const { signal } = options;
  const revisions = await readExistingRevisions(release, cluster, signal);
  const latest = latestOf(revisions)!;
  if (latest.state === "unknown") throw new Fault(`redeploy release ${releaseText(release)}`, latest.description, { final: true });
  if (latest.state === "uninstalling") return proposeDelete(request, cluster, options, revisions);
  const { manifest, hooks, chart, config, notes, labels } = latest;
  const prepared = await prepare(manifestsInRevision(latest), cluster, { signal, namespace: release.namespace });
  const content = { manifest, hooks, chart, config, notes, labels };
  const operation = operationFor(latest, revisions);
  const description = redeployDescription(latest);
  const draft = { policy: request, release, operation, content, prepared, revisions, description, isRepeated: true } as const;
  return proposeRevision(draft, cluster, signal);
}

/** An interrupted operation goes on as what it was. A release that never was deployed is installed. */
function operationFor({ state }: Revision, revisions: readonly Revision[]): RecordedOperation {
  if (state === "pending-install") return "install";
  if (state === "pending-rollback") return "rollback";
  const wasDeployed = revisions.some((each) => each.state === "deployed" || each.state === "superseded");
  return state === "pending-upgrade" || wasDeployed ? "upgrade" : "install";
}
