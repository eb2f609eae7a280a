import type { Cluster } from "../../../kube/index.ts";
import { prepare } from "../../apply/index.ts";
import type { Release } from "../../record/index.ts";
import { manifestsOf } from "../content.ts";
import type { Proposal, Terms } from "../proposal.ts";
import { rollbackTarget } from "../rollback-target.ts";
import { revisionsOf, type Options } from "./common.ts";
import { proposeRevision } from "./revision.ts";

export type RollbackRequest = Terms & {
  readonly release: Release;
  /** The revision to go back to. Default: the one that was deployed before. */
  readonly to?: number;
};

/** Settles what going back to an earlier revision would do. */
export async function proposeRollback(request: RollbackRequest, cluster: Cluster, { signal }: Options): Promise<Proposal> {
  const { release, to } = request;
  const revisions = await revisionsOf(release, cluster, signal);
  const target = rollbackTarget(revisions, release, to);
  const { manifest, hooks, chart, config, notes, labels } = target;
  const prepared = await prepare(manifestsOf(target), cluster, { signal, namespace: release.namespace });
  const content = { manifest, hooks, chart, config, notes, labels };
  const drawn = { terms: request, release, operation: "rollback", content, prepared, revisions } as const;
  return proposeRevision({ ...drawn, description: `Rollback to ${target.revision}` }, cluster, signal);
}
