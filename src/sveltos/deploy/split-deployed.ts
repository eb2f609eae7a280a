import { keyOf } from "../../core/object/index.ts";
import type { LiveState } from "../../release/live/index.ts";
import type { Ordered } from "../../release/order/index.ts";
import type { DesiredManifest } from "../../release/plan/index.ts";
import { concerns } from "../tenant/index.ts";
import { readClaimants, type HandOver } from "./hand-over.ts";
import { isOwnToRemove } from "./object-owner.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";

/** What becomes of the objects that a profile leaves. */
type SplitObjects = {
  /** Also those that are gone, and that no other profile wants: their pods may still be there. */
  readonly removed: ReadonlySet<Ordered<DesiredManifest>>;
  /** Those that other profiles want, of the platform or of the same tenant: another tenant deploys them anew, with its own rights. */
  readonly handOvers: readonly HandOver[];
};

/** Of the deployed objects of a profile, those to remove and those that another profile wants. What is not its own stays. */
export async function splitDeployed(
  deployed: readonly Ordered<DesiredManifest>[],
  found: LiveState,
  scope: ClusterSummaryScope,
  context: AddonContext,
  options: { readonly signal: AbortSignal },
): Promise<SplitObjects> {
  const claimantsOf = deployed.length === 0 ? () => [] : await readClaimants(scope, context, options);
  const removed = new Set<Ordered<DesiredManifest>>();
  const handOvers: HandOver[] = [];
  for (const each of deployed) {
    const { ref } = each;
    const live = found.objects.get(keyOf(ref))?.live;
    if (live !== undefined && !(await isOwnToRemove(live, scope, context, options))) continue;
    const claimants = claimantsOf(ref).filter(({ metadata }) => concerns(metadata.labels, scope.summary.metadata.labels));
    if (claimants.length === 0) removed.add(each);
    else if (live !== undefined) handOvers.push({ ref, live, claimants });
  }
  return { removed, handOvers };
}
