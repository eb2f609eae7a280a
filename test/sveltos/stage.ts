import type { ClusterId } from "../../src/sveltos/api/index.ts";
import type { Ground } from "./ground.ts";

/** A ground on which scenarios are played: one whose parts can fail, come and go. */
export type Stage = Ground & {
  /** The managed clusters as the fleet calls them. */
  readonly ids: readonly [ClusterId, ClusterId];
  /** Gives others a moment. */
  pause(): Promise<void>;
  /** The first cluster does not answer while `meanwhile` goes on; it ends when the cluster answers again. */
  outage(meanwhile: () => Promise<void>): Promise<void>;
  /** The second cluster leaves the fleet, as when it is deregistered. */
  leave(): Promise<void>;
  /** The second cluster is registered again, with these labels. */
  join(labels: Readonly<Record<string, string>>): Promise<void>;
  /** Starts an agent in the first cluster; gives what ends it. */
  agent(): Promise<() => Promise<void>>;
  /** Starts another controller beside the one that runs. Resolves when both share the work. */
  reinforce(): Promise<void>;
  /** Kills the controller that leads, from one moment to the next: nothing that it does afterwards reaches anybody. */
  kill(): Promise<void>;
  /** What `sluice show events` prints. */
  shown(): Promise<string>;
  /** What the controllers that run measure, all of them, as Prometheus reads it. */
  metrics(): Promise<string>;
};

/** Something that must work on every stage. It leaves the stage as it was. */
export type Scenario = {
  /** A sentence that holds. */
  readonly name: string;
  readonly play: (stage: Stage) => Promise<void>;
};
