import type { ObjectRef } from "../../core/object/index.ts";
import type { RolloutStatus } from "./rollout-status.ts";

/** Whom something waits for, and what asks for it: an annotation, a rank, a reference. */
export type BlockingObject = {
  /** The `id` of the one that is waited for. */
  readonly on: string;
  readonly because: string;
};

/** An object that is not where it should be. Plain data that survives JSON. */
export type WaitingObject = {
  readonly id: string;
  readonly ref: ObjectRef;
  /** It is not part of the release. */
  readonly external: boolean;
  /** What has not been done: it is not applied as the release wants it, not through its gates, or not gone. */
  readonly lacks: "applied" | "ready" | "gone";
  readonly state: "progressing" | "failed" | "missing";
  /** Its own reason; of one that waits for others, what is known of itself. */
  readonly because: string;
  /** Empty when it is a first cause. */
  readonly waitsFor: readonly BlockingObject[];
};

/** All that waits in a release, causes before those who wait for them. */
export type WaitExplanation = Omit<RolloutStatus, "plan" | "stepStatuses"> & { readonly waiting: readonly WaitingObject[] };
