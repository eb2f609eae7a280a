import type { ClusterId } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { equal } from "../../../core/object/index.ts";
import { clusterAsInLabels, type TriggerClusterPair } from "./trigger-cluster-pair.ts";

/** A failure that a user has to fix. `reason` is one word in CamelCase, as in an Event. */
export type TriggerFailure = { readonly reason: string; readonly message: string };

/** The result of the last reconcile of a pair. */
export type ClusterResult = {
  readonly cluster: ClusterId;
  /** The trigger matches the cluster. */
  readonly matching: boolean;
  /** The EventSource that the trigger uses there; left out when it does not match, or the name cannot be told. */
  readonly eventSource?: string;
  /** Left out for a cluster that does not appear in the status of the trigger. */
  readonly work?: {
    readonly state: "Provisioned" | "Provisioning" | "Removing";
    /** The hash of the inputs besides the EventReport; undefined when the status keeps the one it has. */
    readonly hash?: string;
    /** Why nothing was generated yet. */
    readonly note?: string;
    readonly failures: readonly TriggerFailure[];
  };
};

/** The last result of every pair since the controller has started, for the statuses of triggers. */
export class ClusterResults {
  readonly #triggers = new Map<string, Map<string, ClusterResult>>();

  /** True when the result has changed. */
  record({ trigger }: TriggerClusterPair, result: ClusterResult): boolean {
    const results = this.#triggers.get(trigger) ?? new Map<string, ClusterResult>();
    this.#triggers.set(trigger, results);
    const key = clusterKey(clusterAsInLabels(result.cluster));
    const before = results.get(key);
    results.set(key, result);
    return !equal(before, result);
  }

  ofTrigger(trigger: string): ReadonlyMap<string, ClusterResult> {
    return this.#triggers.get(trigger) ?? new Map();
  }

  /** Drops the results of a deleted trigger. */
  forget(trigger: string): void {
    this.#triggers.delete(trigger);
  }
}
