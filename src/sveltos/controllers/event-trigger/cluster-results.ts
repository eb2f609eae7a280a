import type { ClusterId } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { equal } from "../../../core/object/index.ts";
import { clusterAsInLabels, type TriggerClusterPair } from "./trigger-cluster-pair.ts";

/** Something that a user has to see to. `reason` is one word in CamelCase. */
export type TriggerFailure = { readonly reason: string; readonly message: string };

/** What came of the last look at a pair. */
export type ClusterResult = {
  readonly cluster: ClusterId;
  /** The cluster is one whose events the trigger answers to, now. */
  readonly matching: boolean;
  /** Left out where there is nothing to tell: the cluster has nothing to do with the trigger. */
  readonly work?: {
    readonly state: "Provisioned" | "Provisioning" | "Removing";
    /** Of what the outcome rests on beside the event; undefined where it stays what it was. */
    readonly hash?: string;
    /** Why there is no more to tell yet. */
    readonly note?: string;
    readonly troubles: readonly TriggerFailure[];
  };
};

/** What is known of every pair that was looked at since the beginning, for the statuses of triggers. */
export class ClusterResults {
  readonly #triggers = new Map<string, Map<string, ClusterResult>>();

  /** Tells whether the entry is news. */
  record({ trigger }: TriggerClusterPair, entry: ClusterResult): boolean {
    const entries = this.#triggers.get(trigger) ?? new Map<string, ClusterResult>();
    this.#triggers.set(trigger, entries);
    const key = clusterKey(clusterAsInLabels(entry.cluster));
    const before = entries.get(key);
    entries.set(key, entry);
    return !equal(before, entry);
  }

  ofTrigger(trigger: string): ReadonlyMap<string, ClusterResult> {
    return this.#triggers.get(trigger) ?? new Map();
  }

  /** The trigger is gone for good. */
  forget(trigger: string): void {
    this.#triggers.delete(trigger);
  }
}
