import { clusterKey } from "../../fleet/index.ts";
import type { TriggerClusterPair } from "./trigger-cluster-pair.ts";

/** What the trigger controller reconciles: a trigger in one cluster, the finalizers of a trigger, or its status. */
export type TriggerKey = PairKey | { readonly type: "trigger" | "status"; readonly trigger: string };

export type PairKey = { readonly type: "pair"; readonly pair: TriggerClusterPair };

/** The identity of a key in the queue, in maps and in logs: `pair Sveltos/mgmt/c1 t`, `trigger t`, `status t`. */
export function triggerIdentity(key: TriggerKey): string {
  return key.type === "pair" ? `pair ${clusterKey(key.pair.cluster)} ${key.pair.trigger}` : `${key.type} ${key.trigger}`;
}

/** Each cluster has a lane, and so has each trigger and each status: a status must not wait for a slow cluster. */
export function triggerLaneOf(key: TriggerKey): string {
  return key.type === "pair" ? clusterKey(key.pair.cluster) : `${key.type} ${key.trigger}`;
}
