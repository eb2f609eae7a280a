import type { AddonSite } from "../../deploy/index.ts";
import type { FleetCluster, Link } from "../../fleet/index.ts";
import type { WorkQueue } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import type { Configurations } from "./configuration.ts";
import type { Mender } from "./mender.ts";
import type { References } from "./references.ts";
import type { Roll } from "./roll.ts";
import type { Standing } from "./standing.ts";

/** What the keeping of ClusterSummaries works with. */
export type Keeping = {
  readonly desk: Desk;
  readonly queue: Pick<WorkQueue, "add">;
  readonly roll: Roll;
  readonly references: References;
  readonly standing: Standing;
  readonly mender: Mender;
  readonly configurations: Configurations;
};

/** A ClusterSummary's place of work: its cluster, which is there to be worked in for as long as the signal does not abort. */
export type Post = { readonly key: string; readonly cluster: FleetCluster; readonly link: Link; readonly signal: AbortSignal };

export function siteOf({ hub, surroundings, charts, identity }: Desk, { link }: Post): AddonSite {
  return { hub, cluster: link.cluster, surroundings, identity, ...(charts === undefined ? {} : { charts }) };
}
