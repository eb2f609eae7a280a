import type { LiveQuery } from "../live/index.ts";
import type { Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import type { PreparedManifest } from "./prepare.ts";

/** A prepared manifest in the form of `PlanInput.desired`. */
export function desiredOf({ object, at, ref, constraints }: PreparedManifest): Ordered<DesiredManifest> {
  return { item: { object, at }, ref, constraints };
}

/** The live object and the dry run that a desired manifest needs. */
export function liveQueryOf({ ref, item, constraints }: Ordered<DesiredManifest>): LiveQuery {
  return { ref, manifest: item.object, keepsReplicas: constraints.replicasOnCreation !== undefined, sensitive: constraints.sensitive };
}
