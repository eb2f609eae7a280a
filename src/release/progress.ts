import type { ObjectRef } from "../core/object/index.ts";
import type { Gate, Stage } from "./order/index.ts";
import type { Plan } from "./plan/index.ts";
import type { LogTail } from "./track/index.ts";

/** What is being done about an object. */
export type Verb = "apply" | "delete" | "await" | "record";

/** How it all came out. */
export type RunStatus = "deployed" | "unchanged" | "failed" | "deleted" | "stopped";

/** Which step of a plan is meant, and whom it is about. The record of a release is the object that keeps it. */
export type StepSubject = {
  readonly verb: Verb;
  readonly ref: ObjectRef;
  readonly id?: string;
  readonly stage?: Stage;
  readonly rank?: number;
  /** What an await is for, when it is not that the object is ready. */
  readonly until?: Gate["until"];
};

/** What a step tells of itself. `waiting` comes only when the reason changes. */
export type StepProgress =
  | (StepSubject & { readonly type: "started" })
  | (StepSubject & { readonly type: "waiting"; readonly because: string })
  | (StepSubject & { readonly type: "finished"; readonly because?: string; readonly logs?: readonly LogTail[] })
  | (StepSubject & {
      readonly type: "failed";
      readonly because: string;
      /** The last lines of the containers that went wrong; of a hook that asks for it, all that it has written. */
      readonly logs?: readonly LogTail[];
      /** What the cluster noted about the pod at fault: `pod web-1: BackOff: …`. */
      readonly events?: readonly string[];
    })
  | (StepSubject & { readonly type: "skipped"; readonly because: string });

/** What is told of the whole, first and last. */
export type RunProgress =
  | { readonly type: "planned"; readonly plan: Plan }
  | {
      readonly type: "done";
      readonly status: RunStatus;
      readonly because?: string;
      /** The steps that were not begun or not finished. */
      readonly left?: readonly string[];
    };

/** All that a run tells as it goes. Terminals, logs and tests read this and nothing else. */
export type Progress = StepProgress | RunProgress;
