import { keepSets } from "../../fleet/index.ts";
import type { Desk } from "../context/index.ts";
import { keepEvents } from "../event-source/index.ts";
import { keepProfiles } from "../profile/index.ts";
import { keepSummaries } from "../cluster-summary/index.ts";
import { keepTriggers } from "../event-trigger/index.ts";

/** Follows the management cluster and does what its objects ask for, until the signal aborts. */
export type Keep = (desk: Desk, signal: AbortSignal) => Promise<void>;

/** Who does what: in every replica, for the clusters that it attends to; and in the one that leads. */
export type Controllers = { readonly everywhere: Readonly<Record<string, Keep>>; readonly leading: Readonly<Record<string, Keep>> };

export const controllers: Controllers = {
  everywhere: { events: keepEvents, summaries: keepSummaries },
  leading: {
    triggers: keepTriggers,
    profiles: keepProfiles,
    sets: ({ hub, fleet, chronicle }, signal) => keepSets(hub, fleet, signal, chronicle.failures("sets")),
  },
};
