import type { ObjectRef } from "../../core/object/index.ts";
import type { RolloutStatus } from "./rollout-status.ts";

/** An object that another one waits for, and why: an annotation, a rank, a reference. */
export type BlockingObject = {
  /** The `id` of the object that is waited for. */
  readonly on: string;
  readonly because: string;
};

/** An object that has not reached its goal. Plain data that survives JSON. */
export type WaitingObject = {
  readonly id: string;
  readonly ref: ObjectRef;
  /** It is not part of the release. */
  readonly external: boolean;
  /** What is missing: it is not applied as desired, not through its gates, or not gone. */
  readonly lacks: "applied" | "ready" | "gone";
  readonly state: "progressing" | "failed" | "missing";
  /** Its own reason, even when it waits for others. */
  readonly because: string;
  /** Empty for a first cause. */
  readonly waitsFor: readonly BlockingObject[];
};

/** All objects of a release that wait, causes first. */
export type WaitExplanation = Omit<RolloutStatus, "plan" | "stepStatuses"> & { readonly waiting: readonly WaitingObject[] };
