import type { ClusterId } from "../../src/sveltos/api/index.ts";
import type { TestFleet } from "./test-fleet.ts";

/** A fleet whose parts can fail, join and leave, for scenarios. */
export type FleetFixture = TestFleet & {
  /** The ids of the managed clusters in the fleet. */
  readonly ids: readonly [ClusterId, ClusterId];
  /** Waits a moment between two reads. */
  pause(): Promise<void>;
  /** Makes the first cluster unreachable while `meanwhile` runs. Resolves when it is reachable again. */
  outage(meanwhile: () => Promise<void>): Promise<void>;
  /** Deregisters the second cluster. */
  deregisterSecond(): Promise<void>;
  /** Registers the second cluster again, with these labels. */
  registerSecond(labels: Readonly<Record<string, string>>): Promise<void>;
  /** Starts an agent in the first cluster, and returns the function that stops it. */
  startAgent(): Promise<() => Promise<void>>;
  /** Starts another replica of the controller. Resolves when both share the work. */
  addReplica(): Promise<void>;
  /** Kills the leading replica at once: none of its later writes reaches a cluster. */
  killLeader(): Promise<void>;
  /** The output of `sluice show events`. */
  showEvents(): Promise<string>;
  /** The metrics of all running replicas in Prometheus' format. */
  metrics(): Promise<string>;
};

/** A scenario that must succeed on every fleet fixture. It removes all that it has created. */
export type FleetScenario = {
  /** A sentence that the scenario proves. */
  readonly name: string;
  readonly run: (fixture: FleetFixture) => Promise<void>;
};
