import type { ClusterId } from "../../src/sveltos/api/index.ts";
import type { TestFleet } from "./test-fleet.ts";

/** A ground on which scenarios are played: one whose parts can fail, come and go. */
export type FleetFixture = TestFleet & {
  /** The managed clusters as the fleet calls them. */
  readonly ids: readonly [ClusterId, ClusterId];
  /** Gives others a moment. */
  pause(): Promise<void>;
  /** The first cluster does not answer while `meanwhile` goes on; it ends when the cluster answers again. */
  outage(meanwhile: () => Promise<void>): Promise<void>;
  /** The second cluster leaves the fleet, as when it is deregistered. */
  deregisterSecond(): Promise<void>;
  /** The second cluster is registered again, with these labels. */
  registerSecond(labels: Readonly<Record<string, string>>): Promise<void>;
  /** Starts an agent in the first cluster; gives what ends it. */
  startAgent(): Promise<() => Promise<void>>;
  /** Starts another controller beside the one that runs. Resolves when both share the work. */
  addReplica(): Promise<void>;
  /** Kills the controller that leads, from one moment to the next: nothing that it does afterwards reaches anybody. */
  killLeader(): Promise<void>;
  /** What `sluice show events` prints. */
  showEvents(): Promise<string>;
  /** What the controllers that run measure, all of them, as Prometheus reads it. */
  metrics(): Promise<string>;
};

/** Something that must work on every stage. It leaves the stage as it was. */
export type FleetScenario = {
  /** A sentence that holds. */
  readonly name: string;
  readonly run: (fixture: FleetFixture) => Promise<void>;
};
