import type { KubeObject, ObjectRef } from "../../object/index.ts";
import type { DeletePolicy, Gate, LogFilter, Operation, Stage, Tracking } from "../order/index.ts";

/** What the cluster would make of an apply, as its dry run says. */
export type Change = "created" | "updated" | "unchanged" | "recreated";

/** One thing to do. Plain data: it is printed, stored and carried out from the same value. */
export type Action =
  | {
      readonly verb: "apply";
      readonly ref: ObjectRef;
      readonly manifest: KubeObject;
      readonly change: Change;
      /** The old one goes right before the new one is created. */
      readonly replace: boolean;
      /** `force`: fields that others own are taken over. */
      readonly force: boolean;
      readonly replicasOnCreation?: number;
      /** Its kind may not be served yet: that is waited for. */
      readonly waitForKind: boolean;
    }
  | {
      readonly verb: "delete";
      readonly ref: ObjectRef;
      readonly propagation: "background" | "foreground" | "orphan";
      readonly uid?: string;
    }
  | {
      readonly verb: "await";
      readonly ref: ObjectRef;
      readonly gates: readonly Gate[];
      readonly external: boolean;
      readonly tracking: Tracking;
      readonly timeoutMs?: number;
      /** A resource as somebody wrote it, looked up when its turn comes. */ readonly resource?: string;
    }
  | {
      readonly verb: "record";
      readonly release: string;
      readonly namespace: string;
      readonly revision: number;
      readonly state: RevisionState;
    }
  /** Nothing to do: many meet here so that many others can wait for one. */
  | { readonly verb: "join"; readonly what: string };

export type RevisionState =
  | "pending-install"
  | "pending-upgrade"
  | "pending-rollback"
  | "deployed"
  | "failed"
  | "superseded"
  | "uninstalling"
  | "uninstalled";

/** Why a step waits for another: an annotation, a rank, a reference. */
export type StepNeed = { readonly id: string; readonly because: string };

export type Step = {
  readonly id: string;
  readonly action: Action;
  readonly needs: readonly StepNeed[];
  readonly stage: Stage;
  readonly rank: number;
  readonly hook?: boolean;
  readonly at?: string;
  readonly logs?: LogFilter;
  /** What happens to the object when its await is over: hooks' and werf's delete policies, carried out at the end of its event. */
  readonly policies?: readonly DeletePolicy[];
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
