import { Fault } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { releaseText } from "../../record/index.ts";
import { readLive } from "../../live/index.ts";
import { planBasisOf } from "../plan-basis.ts";
import { liveQueryOf, planOrThrow, readPreviousManifests } from "../../prepare/index.ts";
import type { Proposal } from "../proposal.ts";
import { plannedObjectsOf } from "../planned-object.ts";
import { releaseFieldManager, releaseRevisionOf, planOptions, readExistingRevisions, type AbortOptions } from "./proposal-input.ts";
import type { ReleaseRequest } from "./propose-delete.ts";

/** Proposes a run of a release's test hooks. */
export async function proposeTest(request: ReleaseRequest, cluster: Cluster, { signal }: AbortOptions): Promise<Proposal> {
  const { release } = request;
  const revisions = await readExistingRevisions(release, cluster, signal);
  const revision = revisions.findLast(({ state }) => state === "deployed");
  if (revision === undefined)
    throw new Fault(`test release ${releaseText(release)}`, "no revision of it is deployed: deploy it first", { final: true });
  const previous = await readPreviousManifests([revision], cluster, release.namespace);
  const hooks = previous.filter(({ constraints }) => constraints.hook && constraints.stages.test !== undefined);
  const found = await readLive(hooks.map(liveQueryOf), cluster, { signal, manager: releaseFieldManager, force: true });
  const plan = planOrThrow({
    operation: "test",
    release: releaseRevisionOf(revision),
    desired: hooks,
    live: found.facts,
    options: planOptions(request),
  });
  const basis = planBasisOf(plan, revisions, found);
  const objects = plannedObjectsOf(basis, found, hooks);
  return { release, operation: "test", plan, revision, unchanged: false, createsNamespace: false, warnings: [], basis, objects };
}
