import type { Cluster } from "../../../kube/index.ts";
import { manifestsInRevision, prepare } from "../../prepare/index.ts";
import type { Release } from "../../record/index.ts";
import type { Proposal, OperationPolicy } from "../proposal.ts";
import { rollbackTarget } from "../rollback-target.ts";
import { readKeptRevisions, type AbortOptions } from "./proposal-input.ts";
import { proposeRevision } from "./propose-revision.ts";

export type RollbackRequest = OperationPolicy & {
  readonly release: Release;
  /** The revision to roll back to. Default: the one that was deployed before. */
  readonly to?: number;
};

/** Proposes a rollback to an earlier revision. */
export async function proposeRollback(request: RollbackRequest, cluster: Cluster, { signal }: AbortOptions): Promise<Proposal> {
  const { release, to } = request;
  const revisions = await readKeptRevisions(release, cluster, signal);
  const target = rollbackTarget(revisions, release, to);
  const { manifest, hooks, chart, config, notes, labels } = target;
  const prepared = await prepare(manifestsInRevision(target), cluster, { signal, namespace: release.namespace });
  const content = { manifest, hooks, chart, config, notes, labels };
  const draft = { policy: request, release, operation: "rollback", content, prepared, revisions } as const;
  return proposeRevision({ ...draft, description: `Rollback to ${target.revision}` }, cluster, signal);
}
