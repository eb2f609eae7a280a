import type { GroupVersionKind, ObjectRef } from "../../core/object/index.ts";

/** The operations that a hook or object can take part in. */
export type Operation = "install" | "upgrade" | "rollback" | "delete" | "test";

/** The stages of an operation, in order. Test hooks are the `pre` stage of a test. */
export type Stage = "crds" | "pre" | "main" | "post";

/** What an object must reach before others may follow. Plain data, because plans are saved. */
export type Gate =
  /** The API server has accepted it. */
  | { readonly until: "applied" }
  /** It can be read. */
  | { readonly until: "present" }
  /** Its health is ready. */
  | { readonly until: "ready" }
  /** Ready by KOTS' rules: its own for six kinds, present for all others. */
  | { readonly until: "kots-ready" }
  /** A Job or Pod has completed successfully. */
  | { readonly until: "completed" }
  /** All properties hold at once: the JSONPath prints the value. */
  | { readonly until: "properties"; readonly properties: readonly Property[] }
  /** A CEL rule over the object (`self`) is true. */
  | { readonly until: "rule"; readonly rule: string }
  /** It does not exist. */
  | { readonly until: "absent" };

export type Property = { readonly path: string; readonly value: string };

/** The objects that a need is about. Omitted fields match anything; a namespace of "" is the release's. */
export type NeedTarget = Partial<GroupVersionKind> & {
  readonly namespace?: string;
  readonly name?: string;
  /** A resource argument (`deployments.apps`, `sts`) to resolve by discovery; for external needs only. */
  readonly resource?: string;
};

/** A condition on other objects that must hold before an object is applied or deleted. */
export type Need = {
  readonly target: NeedTarget;
  readonly gate: Gate;
  /** Outside the release: the whole rank waits for it, even while it does not exist. */
  readonly external: boolean;
  /** The reason for messages: an annotation's key, or `a volume of it`. */
  readonly because: string;
  /** Derived from the manifests. It yields to annotations that contradict it. */
  readonly implied?: boolean;
};

/** When an object is deleted: before it is created again, or after its outcome. */
export type DeletePolicy = "before-creation" | "before-creation-if-immutable" | "succeeded" | "failed";

/** How failures of an object count. */
export type Tracking = {
  readonly failMode: "fail" | "ignore" | "hope";
  /** `false`: nothing waits for it. */
  readonly blocking: boolean;
  readonly failuresAllowedPerReplica?: number;
  readonly noActivityTimeoutMs?: number;
  /** How long its pods may be unschedulable. */
  readonly schedulingTimeoutMs?: number;
  /** Per container, how long readiness probe failures are ignored. */
  readonly ignoreProbeFailuresMs: Readonly<Record<string, number>>;
  readonly logs: LogFilter;
};

/** Which log lines of an object's pods are shown. */
export type LogFilter = {
  readonly skip: boolean;
  readonly skipContainers: readonly string[];
  readonly onlyContainers: readonly string[];
  readonly replicas: number;
  readonly keep: readonly { readonly container?: string; readonly pattern: string }[];
  readonly drop: readonly { readonly container?: string; readonly pattern: string }[];
  readonly events: boolean;
};

/** All ordering constraints of an object, from every dialect. The planner knows nothing else about its place. */
export type OrderingConstraints = {
  readonly stage: Stage;
  /** The stages in which it is applied, by operation. Resources are deleted in the reverse order, which is not listed. */
  readonly stages: Readonly<Partial<Record<Operation, readonly Stage[]>>>;
  readonly hook: boolean;
  readonly rank: number;
  /** It has needs of its own and leaves its rank: only the end of the stage and its dependents wait for it. */
  readonly unranked: boolean;
  /** All of them must open. */
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
  /** The operations that are skipped for it. */
  readonly keep: { readonly create: boolean; readonly update: boolean; readonly recreate: boolean; readonly delete: boolean };
  readonly remove: "before" | "after" | "keep";
  readonly ownership: "release" | "anyone";
  readonly replicasOnCreation?: number;
  readonly timeoutMs?: number;
  /** A CEL rule over `self` that replaces the readiness rules of its kind. */
  readonly health?: string;
  /** Waits until its kind is served, for kinds that an operator installs. */
  readonly waitForKind: boolean;
  readonly tracking: Tracking;
  readonly sensitive: { readonly whole: boolean; readonly paths: readonly string[] };
};

/** An object of a release with its ordering constraints. */
export type Ordered<Item> = { readonly item: Item; readonly ref: ObjectRef; readonly constraints: OrderingConstraints };
