/** Names an object of a cluster. `namespace` is empty for what has none. */
export type ObjectName = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
};

/** How far an object is. `gone`: it does not exist, as it should not or although it should. */
export type NodeState = "ready" | "progressing" | "waiting" | "failed" | "skipped" | "gone";

/** One revision in the list of a release's revisions. */
export type RevisionOutline = {
  readonly revision: number;
  /** In Helm's words: `deployed`, `superseded`, `failed`, `pending-upgrade`. */
  readonly state: string;
  readonly description: string;
  readonly atMs?: number;
  /** There is a recording of it, so that it can be replayed. */
  readonly isRecorded: boolean;
};

/** What a release view is about. Its key is `head`. */
export type ReleaseHead = {
  readonly type: "head";
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly isLatest: boolean;
  /** The state of the revision in Helm's words. */
  readonly state: string;
  readonly status: NodeState;
  readonly description: string;
  /** `web-1.2.3`; absent when no chart was deployed. */
  readonly chart?: string;
  /** Who works on the release; `isSilent`: it has not been heard of for too long. */
  readonly holder?: { readonly name: string; readonly sinceMs: number; readonly isSilent: boolean };
  /** Why there is no timeline. */
  readonly unrecorded?: string;
  /** The newest first. */
  readonly revisions: readonly RevisionOutline[];
};

/** An object of the plan in one stage. Its key is `node/` and its id. */
export type ReleaseNode = {
  readonly type: "node";
  readonly id: string;
  /** `join`: no object, but a point that all before it have to pass. `external`: not a part of the release. */
  readonly role: "object" | "external" | "removal" | "join";
  /** Absent for a join. */
  readonly ref?: ObjectName;
  /** `deployment/web`, or what a join says. */
  readonly title: string;
  readonly stage: string;
  readonly rank: number;
  readonly hook?: true;
  readonly state: NodeState;
  readonly because?: string;
  /** How the last run has changed it: `created`, `configured`. */
  readonly change?: string;
  /** It waits for nothing but itself, and others wait for it. */
  readonly isFirstCause?: true;
  /** The next node on the way to its first cause, and why it waits for that. */
  readonly waitsFor?: { readonly id: string; readonly because: string };
  readonly isOnCriticalPath?: true;
};

/** What one node needs of another. Its key is `edge/` and both ids. */
export type ReleaseEdge = {
  readonly type: "edge";
  readonly from: string;
  readonly to: string;
  readonly because: string;
  /** What `from` has to reach: `ready`, `applied`, `gone`. */
  readonly gate: string;
};

/** A first cause, and what it holds up. Its key is `chain/` and the id of the cause. */
export type ReleaseChain = {
  readonly type: "chain";
  readonly cause: string;
  readonly because: string;
  /** How many objects wait for it, directly or not. */
  readonly blocked: number;
  /** From an object that waits furthest away to the cause. */
  readonly nodes: readonly string[];
};

/** A part of an object's time, in ms since the start of the timeline. */
export type TimeSpan = { readonly phase: "apply" | "wait" | "delete"; readonly fromMs: number; readonly toMs: number };

/** What a timeline has beside its rows. Its key is `timeline`. */
export type ReleaseTimeline = {
  readonly type: "timeline";
  readonly startedAtMs: number;
  readonly lengthMs: number;
  /** `unfinished`: it runs still, or it was killed. */
  readonly status: string;
  readonly because?: string;
  /** Somebody is at work: it goes on after `lengthMs`. */
  readonly isRunning: boolean;
  /** The time of the server when this was sent. */
  readonly asOfMs: number;
  readonly runs: readonly { readonly operation: string; readonly fromMs: number; readonly toMs: number; readonly status?: string }[];
  readonly criticalPath: readonly {
    readonly ref: ObjectName;
    readonly phase: string;
    readonly fromMs: number;
    readonly toMs: number;
    readonly after?: string;
    readonly because?: string;
  }[];
  /** The longest waits first. */
  readonly waits: readonly { readonly ref: ObjectName; readonly because: string; readonly fromMs: number; readonly toMs: number }[];
  readonly leftOut: readonly string[];
};

/** The time of one object. Its key is `row/` and the object. */
export type ReleaseTimelineRow = {
  readonly type: "row";
  readonly ref: ObjectName;
  readonly title: string;
  readonly hook?: true;
  readonly outcome: "finished" | "failed" | "skipped" | "interrupted";
  readonly because?: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly spans: readonly TimeSpan[];
  /** What it waited for, and since when; each holds until the next one. Absent when it waited for nothing. */
  readonly waits?: readonly { readonly atMs: number; readonly because: string }[];
};

export type ReleaseItem = ReleaseHead | ReleaseNode | ReleaseEdge | ReleaseChain | ReleaseTimeline | ReleaseTimelineRow;
