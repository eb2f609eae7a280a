import { Fault } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { releaseText } from "../../record/index.ts";
import { survey } from "../../live/index.ts";
import { basisOf } from "../basis.ts";
import { formerOf } from "../former.ts";
import type { Proposal } from "../proposal.ts";
import { prospectsOf } from "../prospect.ts";
import { draw, manager, numbered, planOptions, revisionsOf, wantedIn, type Options } from "./common.ts";
import type { ReleaseRequest } from "./delete.ts";

/** Settles what the test hooks of a release would do. */
export async function proposeTest(request: ReleaseRequest, cluster: Cluster, { signal }: Options): Promise<Proposal> {
  const { release } = request;
  const revisions = await revisionsOf(release, cluster, signal);
  const revision = revisions.findLast(({ state }) => state === "deployed");
  if (revision === undefined)
    throw new Fault(`test release ${releaseText(release)}`, "no revision of it is deployed: deploy it first", { final: true });
  const former = await formerOf([revision], cluster, release.namespace);
  const hooks = former.filter(({ claims }) => claims.hook && claims.stages.test !== undefined);
  const found = await survey(hooks.map(wantedIn), cluster, { signal, manager, force: true });
  const drawn = draw({ operation: "test", release: numbered(revision), desired: hooks, live: found.facts, options: planOptions(request) });
  const basis = basisOf(drawn, revisions, found);
  const objects = prospectsOf(basis, found, hooks);
  return { release, operation: "test", plan: drawn, revision, unchanged: false, createsNamespace: false, warnings: [], basis, objects };
}
