import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { Gate, Tracking } from "../order/index.ts";
import type { ObjectLogs } from "./log/object-logs.ts";
import type { ObjectEvents } from "./object-events.ts";
import type { Recreate } from "./recreation.ts";

/** What to wait for. */
export type WaitTarget = {
  readonly ref: ObjectRef;
  readonly gates: readonly Gate[];
  readonly tracking: Tracking;
  readonly timeoutMs?: number;
  readonly resource?: string;
  readonly uid?: string;
  /** Nobody has ever written its status. */
  readonly silent?: boolean;
};

/** What a wait knows of its object, and what it calls. */
export type WaitOptions = {
  /** The object as the API server returned it from apply. */
  readonly answer?: KubeObject | undefined;
  /** Creates the object again when it is deleted. */
  readonly recreate?: Recreate | undefined;
  /** The object was there before the wait: when it is missing at first, it was deleted. Default false. */
  readonly hasExisted?: boolean;
  /** Reads the logs of its pods. */
  readonly logs?: ObjectLogs | undefined;
  /** Reports Events about it and its pods. */
  readonly events?: ObjectEvents | undefined;
  readonly onReason: OnWaitReason;
};

/** Is called with each new reason to wait. `hopeless` is set in fail mode `hope` after a failure. */
export type OnWaitReason = (because: string, hopeless: boolean) => void;
