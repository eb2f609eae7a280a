import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { DeletePolicy, Gate, LogFilter, Operation, Stage, Tracking } from "../order/index.ts";
import type { RevisionState } from "../record/index.ts";

/** How an apply changes an object, by dry run. */
export type PlannedChange = "created" | "updated" | "unchanged" | "recreated";

/** How dependents of a deleted object are deleted. */
export type Propagation = "background" | "foreground" | "orphan";

/** Applies an object. */
export type ApplyAction = {
  readonly verb: "apply";
  readonly ref: ObjectRef;
  readonly manifest: KubeObject;
  readonly change: PlannedChange;
  /** Deletes the previous object right before creating the new one. */
  readonly replace: boolean;
  /** The uid of the previous object, which is being deleted already: it goes first. */
  readonly deleting?: string;
  /** What the deletion of the previous object waited for when the plan was made, in words. */
  readonly deletion?: string;
  /** Takes over fields of other field managers. */
  readonly force: boolean;
  /** How the previous object is deleted when it is replaced. */
  readonly propagation: Propagation;
  /** The fields that these field managers own by client-side apply become ours first. Default none. */
  readonly clientSideManagers?: readonly string[];
  readonly replicasOnCreation?: number;
  /** Waits until the kind is served. */
  readonly waitForKind: boolean;
  /** Set when a dry run cannot check it as things are: it is checked when it is applied. */
  readonly deferred?: DeferredCheck;
  readonly timeoutMs?: number;
};

/** The check of an object that the API server refuses now, and that earlier steps may cure. */
export type DeferredCheck = {
  /** What the API server says now. */
  readonly because: string;
  /** What is changed before and may cure it, at most ten objects. */
  readonly after: readonly ObjectRef[];
};

/** Waits for an object until its gates are open. */
export type AwaitAction = {
  readonly verb: "await";
  readonly ref: ObjectRef;
  readonly gates: readonly Gate[];
  readonly external: boolean;
  readonly tracking: Tracking;
  readonly timeoutMs?: number;
  /** A resource argument, resolved by discovery when the step starts. */
  readonly resource?: string;
  /** The uid of the object to be gone: a recreated one does not count. Empty when it was gone before. */
  readonly uid?: string;
  /** What the controllers made for the workload is to be gone too. */
  readonly dependents?: true;
  /** Nobody has written its status since it was created: its absence is no reason to wait. */
  readonly silent?: true;
  /** Creates the object again when it is deleted meanwhile. Only for an object that no step applies. */
  readonly recreate?: ApplyAction;
};

/** One action. Plain data: printed, stored and run from the same value. */
export type Action =
  | ApplyAction
  /** Requests the deletion; another step waits until the object is gone. */
  | { readonly verb: "delete"; readonly ref: ObjectRef; readonly propagation: Propagation; readonly uid?: string }
  | AwaitAction
  | RecordAction
  /** No action: joins many needs into one. */
  | { readonly verb: "join"; readonly what: string };

/** A record to write. */
export type RecordAction = {
  readonly verb: "record";
  readonly release: string;
  readonly namespace: string;
  readonly revision: number;
  readonly state: RevisionState;
  /** The hook that has just succeeded: it does not run again when this revision is continued. */
  readonly hook?: { readonly stage: Stage; readonly ref: ObjectRef };
};

/** A need of a step and its reason: an annotation, a rank, a reference. */
export type StepNeed = {
  readonly id: string;
  readonly because: string;
  /** The needed step only has to end: its failure does not skip this step. */
  readonly settled?: true;
  /** Derived, not written. It yields to needs that contradict it. */
  readonly implied?: true;
};

/** How the step of a condition must have ended. `unfinished`: failed, or never started. */
type RequiredOutcome = "finished" | "failed" | "unfinished";

export type Step = {
  readonly id: string;
  readonly action: Action;
  readonly needs: readonly StepNeed[];
  readonly stage: Stage;
  readonly rank: number;
  readonly hook?: boolean;
  /** The position of its manifest: `web.yaml:12`. */
  readonly at?: string;
  readonly logs?: LogFilter;
  /** The delete policies of its object, for display; the plan contains the steps that implement them. */
  readonly policies?: readonly DeletePolicy[];
  /** The step is passed over unless another step ended like this. */
  readonly onlyIf?: { readonly id: string; readonly outcome: RequiredOutcome };
};

/** What an operation does, decided in full before anything changes. Survives JSON. */
export type Plan = {
  readonly version: 1;
  readonly operation: Operation;
  readonly release?: { readonly name: string; readonly namespace: string; readonly revision: number };
  readonly steps: readonly Step[];
  /** Waits for objects that are as they should be, one each. They run only when somebody deletes the object during the run. Default none. */
  readonly untouched?: readonly Step[];
  /** Objects that left the release and are kept, with the reason. */
  readonly kept: readonly { readonly ref: ObjectRef; readonly because: string }[];
};
