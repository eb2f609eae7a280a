import { runClusterSetController } from "../../fleet/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { runEventSourceController } from "../event-source/index.ts";
import { runProfileController } from "../profile/index.ts";
import { runSummaryController } from "../cluster-summary/index.ts";
import { runRoleRequestController } from "../role-request/index.ts";
import { runTriggerController } from "../event-trigger/index.ts";

/** Runs one controller until the signal aborts. */
export type RunController = (context: ControllerContext, signal: AbortSignal) => Promise<void>;

/** The controllers that run in every replica, for the clusters that it owns, and those that run in the leader. */
export type ControllerSet = {
  readonly everyReplica: Readonly<Record<string, RunController>>;
  readonly leaderOnly: Readonly<Record<string, RunController>>;
};

export const allControllers: ControllerSet = {
  everyReplica: { events: runEventSourceController, summaries: runSummaryController, roleRequests: runRoleRequestController },
  leaderOnly: {
    triggers: runTriggerController,
    profiles: runProfileController,
    sets: ({ hub, fleet, telemetry }, signal) => runClusterSetController(hub, fleet, signal, telemetry.failureReporter("sets")),
  },
};
