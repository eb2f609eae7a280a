import type { OverviewView } from "../api/index.ts";
import type { ViewContext } from "../view-context.ts";
import { showFleet } from "./show-fleet.ts";
import { showReleases } from "./show-releases.ts";

/** Shows what is deploying, failing and drifting: the releases of the cluster, and the fleet that it manages. */
export async function runOverview(_view: OverviewView, context: ViewContext): Promise<void> {
  await Promise.all([showReleases(context), showFleet(context)]);
}
