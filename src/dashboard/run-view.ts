import { unreachable } from "../core/fault/index.ts";
import { runActions } from "./action/run-actions.ts";
import type { View } from "./api/index.ts";
import { runEvents } from "./events/run-events.ts";
import { runOverview } from "./overview/run-overview.ts";
import { runRelease } from "./release/run-release.ts";
import { runCluster } from "./cluster/run-cluster.ts";
import { runProfile } from "./profile/run-profile.ts";
import { runFleet } from "./fleet/run-fleet.ts";
import type { ViewContext } from "./view-context.ts";

/** Keeps the items of a view up to date until the signal of its context aborts. */
export async function runView(view: View, context: ViewContext): Promise<void> {
  switch (view.type) {
    case "overview":
      return runOverview(view, context);
    case "release":
      return runRelease(view, context);
    case "fleet":
      return runFleet(view, context);
    case "cluster":
      return runCluster(view, context);
    case "profile":
      return runProfile(view, context);
    case "events":
      return runEvents(view, context);
    case "actions":
      return context.actions === undefined ? context.publish({}) : runActions(context.actions, context);
    default:
      return unreachable(view);
  }
}
