import type { GroupVersionKind, ObjectRef } from "../../core/object/index.ts";

/** When in a release's life something takes part. */
export type Operation = "install" | "upgrade" | "rollback" | "delete" | "test";

/** The parts of an operation, in their order. Test hooks are the `pre` of a test. */
export type Stage = "crds" | "pre" | "main" | "post";

/** What an object must reach before others may follow. All of it is data: a plan is saved and read again. */
export type Gate =
  /** The cluster has taken it. */
  | { readonly until: "applied" }
  /** It can be read. */
  | { readonly until: "present" }
  /** Its health is ready. */
  | { readonly until: "ready" }
  /** Ready as KOTS means it: by its own rules for six kinds, present for all others. */
  | { readonly until: "kots-ready" }
  /** A Job or Pod has run to its end, and well. */
  | { readonly until: "completed" }
  /** All of these hold at the same moment: what the JSONPath prints is the text. */
  | { readonly until: "properties"; readonly properties: readonly Property[] }
  /** A CEL rule over the object (`self`) says so. */
  | { readonly until: "rule"; readonly rule: string }
  /** It is gone. */
  | { readonly until: "absent" };

export type Property = { readonly path: string; readonly value: string };

/** Whom a need is about. A field that is left out fits anything; a namespace of "" is that of the release. */
export type NeedTarget = Partial<GroupVersionKind> & {
  readonly namespace?: string;
  readonly name?: string;
  /** A resource as people write it (`deployments.apps`, `sts`), to be looked up in the cluster; only of external needs. */
  readonly resource?: string;
};

/** What must have happened elsewhere before an object is applied, or deleted. */
export type Need = {
  readonly target: NeedTarget;
  readonly gate: Gate;
  /** Outside the release: it is waited for, however long it is not there, and with it the whole rank. */
  readonly external: boolean;
  /** What asks for it, for messages: an annotation's key, or `a volume of it`. */
  readonly because: string;
  /** Follows from the manifests alone, and gives way to what somebody wrote. */
  readonly implied?: boolean;
};

/** What becomes of an object that has done its part, or before its successor comes. */
export type DeletePolicy = "before-creation" | "before-creation-if-immutable" | "succeeded" | "failed";

/** How an object's trouble counts. */
export type Tracking = {
  readonly failMode: "fail" | "ignore" | "hope";
  /** `false`: nobody waits for it. */
  readonly blocking: boolean;
  readonly failuresAllowedPerReplica?: number;
  readonly noActivityTimeoutMs?: number;
  /** Per container: readiness-probe failures that early do not count. */
  readonly ignoreProbeFailuresMs: Readonly<Record<string, number>>;
  readonly logs: LogFilter;
};

/** Which log lines of an object's pods are worth showing. */
export type LogFilter = {
  readonly skip: boolean;
  readonly skipContainers: readonly string[];
  readonly onlyContainers: readonly string[];
  readonly replicas: number;
  readonly keep: readonly { readonly container?: string; readonly pattern: string }[];
  readonly drop: readonly { readonly container?: string; readonly pattern: string }[];
  readonly events: boolean;
};

/** All that an object says about its place in a release, whatever dialect it says it in. The planner knows nothing else of it. */
export type OrderingConstraints = {
  readonly stage: Stage;
  /** By operation, the stages in which it is applied. Deleting what is no hook is not listed: that mirrors the applying. */
  readonly stages: Readonly<Partial<Record<Operation, readonly Stage[]>>>;
  readonly hook: boolean;
  readonly rank: number;
  /** It has needs of its own and leaves its rank: nobody waits for it but the end of the stage and who needs it. */
  readonly unranked: boolean;
  /** All of them must hold. */
  readonly gates: readonly Gate[];
  readonly needs: readonly Need[];
  /** Everything sorted after it waits for its gates. */
  readonly barrier: boolean;
  readonly deletion: {
    readonly phase?: number;
    readonly needs: readonly Need[];
    readonly propagation?: "background" | "foreground" | "orphan";
  };
  readonly deletePolicies: readonly DeletePolicy[];
  /** What is left undone about it. */
  readonly keep: { readonly create: boolean; readonly update: boolean; readonly recreate: boolean; readonly delete: boolean };
  readonly remove: "before" | "after" | "keep";
  readonly ownership: "release" | "anyone";
  readonly replicasOnCreation?: number;
  readonly timeoutMs?: number;
  /** A CEL rule over `self` that says when it is ready, in place of what Sluice knows of its kind. */
  readonly health?: string;
  /** Waits for its kind to be served, for kinds that an operator brings. */
  readonly waitForKind: boolean;
  readonly tracking: Tracking;
  readonly sensitive: { readonly whole: boolean; readonly paths: readonly string[] };
};

/** An object of a release with its claims. */
export type Ordered<Item> = { readonly item: Item; readonly ref: ObjectRef; readonly claims: OrderingConstraints };
