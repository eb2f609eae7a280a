import { keepSets } from "../../fleet/index.ts";
import type { Desk } from "../desk.ts";

/** Follows the management cluster and does what its objects ask for, until the signal aborts. */
export type Keep = (desk: Desk, signal: AbortSignal) => Promise<void>;

/** Who does what: in every replica, for the clusters that it attends to; and in the one that leads. */
export type Controllers = { readonly everywhere: Readonly<Record<string, Keep>>; readonly leading: Readonly<Record<string, Keep>> };

export const controllers: Controllers = {
  everywhere: {},
  leading: {
    sets: ({ hub, fleet, chronicle }, signal) => keepSets(hub, fleet, signal, chronicle.failures("sets")),
  },
};
