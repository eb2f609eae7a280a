import type { ObjectRef } from "../core/object/index.ts";
import type { Gate, Stage } from "./order/index.ts";
import type { Plan } from "./plan/index.ts";
import type { EventEntry, LogEntry, LogTail } from "./track/index.ts";

/** The action on an object. */
export type Verb = "apply" | "delete" | "await" | "record";

/** How a run ended. */
export type RunStatus = "deployed" | "unchanged" | "failed" | "deleted" | "stopped";

/** The step of an event and its object. For a record it is the Secret that stores it. */
export type StepSubject = {
  readonly verb: Verb;
  readonly ref: ObjectRef;
  readonly id?: string;
  readonly stage?: Stage;
  readonly rank?: number;
  /** The gate of an await, when it is not `ready`. */
  readonly until?: Gate["until"];
};

/** An event of a step. `waiting` is repeated only when the reason changes. */
export type StepProgress =
  | (StepSubject & { readonly type: "started" })
  | (StepSubject & { readonly type: "waiting"; readonly because: string })
  | (StepSubject & { readonly type: "finished"; readonly because?: string; readonly logs?: readonly LogTail[] })
  | (StepSubject & {
      readonly type: "failed";
      readonly because: string;
      /** The last log lines of the failed containers; for a hook with an output-log-policy its whole output. */
      readonly logs?: readonly LogTail[];
      /** Events about the failed pod: `pod web-1: BackOff: …`. */
      readonly events?: readonly string[];
      readonly normalEvents?: readonly string[];
    })
  | (StepSubject & { readonly type: "skipped"; readonly because: string });

/** The first and the last event of a run. */
export type RunProgress =
  | {
      readonly type: "planned";
      readonly plan: Plan;
      /** What the plan undoes, and how: `job/bad: exit code 3; rolling back to revision 3`. Only of a second plan. */
      readonly because?: string;
    }
  | {
      readonly type: "done";
      readonly status: RunStatus;
      readonly because?: string;
      /** A second plan has undone what was done. */
      readonly undone?: true;
      /** The ids of steps that were not started or not finished. */
      readonly left?: readonly string[];
    };

/** What a container of an object has written, while a step waits for the object. */
export type LogProgress = LogEntry & { readonly type: "log"; readonly ref: ObjectRef; readonly id: string };

/** A Kubernetes Event about an object or a pod of it, where an annotation asks for them. */
export type EventProgress = EventEntry & { readonly type: "event"; readonly ref: ObjectRef; readonly id: string };

/** Everything that a run reports. Terminals, logs and tests read nothing else. */
export type Progress = StepProgress | LogProgress | EventProgress | RunProgress;
