import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { DeletePolicy, Gate, LogFilter, Operation, Stage, Tracking } from "../order/index.ts";
import type { RevisionState } from "../record/index.ts";

/** What the cluster would make of an apply, as its dry run says. */
export type PlannedChange = "created" | "updated" | "unchanged" | "recreated";

/** How what an object owns goes with it. */
export type Propagation = "background" | "foreground" | "orphan";

/** One thing to do. Plain data: it is printed, stored and carried out from the same value. */
export type Action =
  | {
      readonly verb: "apply";
      readonly ref: ObjectRef;
      readonly manifest: KubeObject;
      readonly change: PlannedChange;
      /** The old one goes right before the new one is created. */
      readonly replace: boolean;
      /** Fields that others own are taken over. */
      readonly force: boolean;
      /** How the old one goes, when it is replaced. */
      readonly propagation: Propagation;
      readonly replicasOnCreation?: number;
      /** Its kind may not be served yet: that is waited for. */
      readonly waitForKind: boolean;
      readonly timeoutMs?: number;
    }
  /** Asks for the deletion; that it is gone is another step. */
  | { readonly verb: "delete"; readonly ref: ObjectRef; readonly propagation: Propagation; readonly uid?: string }
  | {
      readonly verb: "await";
      readonly ref: ObjectRef;
      readonly gates: readonly Gate[];
      readonly external: boolean;
      readonly tracking: Tracking;
      readonly timeoutMs?: number;
      /** A resource as somebody wrote it, looked up when its turn comes. */
      readonly resource?: string;
      /** The object that is to be gone: another one of its name does not count. */
      readonly uid?: string;
    }
  | RecordAction
  /** Nothing to do: many meet here so that many others can wait for one. */
  | { readonly verb: "join"; readonly what: string };

/** Something to write down about a release. */
export type RecordAction = {
  readonly verb: "record";
  readonly release: string;
  readonly namespace: string;
  readonly revision: number;
  readonly state: RevisionState;
  /** The hook that has just succeeded: it is not to run again when this revision is carried on. */
  readonly hook?: { readonly stage: Stage; readonly ref: ObjectRef };
};

/** Why a step waits for another: an annotation, a rank, a reference. */
export type StepNeed = {
  readonly id: string;
  readonly because: string;
  /** It has to be over, in whatever way: its failure is no reason to skip this step. */
  readonly settled?: true;
  /** Nobody wrote it, and it gives way where it contradicts what somebody did. */
  readonly implied?: true;
};

/** How the step that a condition is about must have ended. `unfinished`: failed, or never begun. */
export type RequiredOutcome = "finished" | "failed" | "unfinished";

export type Step = {
  readonly id: string;
  readonly action: Action;
  readonly needs: readonly StepNeed[];
  readonly stage: Stage;
  readonly rank: number;
  readonly hook?: boolean;
  /** Where its manifest stands: `web.yaml:12`. */
  readonly at?: string;
  readonly logs?: LogFilter;
  /** Delete policies of its object, for those who show the plan; the steps that carry them out are in it. */
  readonly policies?: readonly DeletePolicy[];
  /** The step is passed over unless another one has ended like this. */
  readonly onlyIf?: { readonly id: string; readonly outcome: RequiredOutcome };
};

/** What will be done, decided in full before anything is touched. Survives JSON. */
export type Plan = {
  readonly version: 1;
  readonly operation: Operation;
  readonly release?: { readonly name: string; readonly namespace: string; readonly revision: number };
  readonly steps: readonly Step[];
  /** What stays although it left the release, and why. */
  readonly kept: readonly { readonly ref: ObjectRef; readonly because: string }[];
};
