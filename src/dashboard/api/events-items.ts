import type { ObjectName } from "./release-items.ts";

/** How an event is doing in a cluster. `idle`: nothing matches, so that nothing is to be deployed. */
export type FlowState = "failed" | "waiting" | "progressing" | "skipped" | "idle" | "ready";

/** The states, the most urgent first. */
export const flowStates: readonly FlowState[] = ["failed", "waiting", "progressing", "skipped", "ready", "idle"];

/** What is written to deploy on events: of today, or of the first generation. */
export type TriggerKind = "EventTrigger" | "EventBasedAddOn";

/** A managed cluster by its object. */
export type EventCluster = { readonly kind: "SveltosCluster" | "Cluster"; readonly namespace: string; readonly name: string };

type FlowCounts = Readonly<Partial<Record<FlowState, number>>>;

/** A trigger over all of its clusters, at `trigger/KIND/NAME`. */
export type EventTriggerItem = {
  readonly type: "trigger";
  readonly kind: TriggerKind;
  readonly name: string;
  /** As it is written; it may be a template over the cluster. */
  readonly source: string;
  /** There is a profile for each object that matches, and not one for all of them. */
  readonly oneForEvent: boolean;
  readonly state: FlowState;
  readonly because?: string;
  /** In how many clusters it is in each state. */
  readonly counts: FlowCounts;
  readonly matches: number;
  readonly profiles: number;
  /** When what matches last changed in a cluster. */
  readonly changedAtMs?: number;
};

/** An EventSource over all clusters, at `source/NAME`. */
export type EventSourceItem = {
  readonly type: "source";
  readonly name: string;
  readonly state: "failed" | "waiting" | "ready";
  readonly because?: string;
  /** What it selects: `v1 Service`. */
  readonly kinds: readonly string[];
  readonly matches: number;
  /** In how many clusters a script or a rule of it fails. */
  readonly failing: number;
  /** How many triggers name it. */
  readonly triggers: number;
};

/** A cluster over all of its triggers, at `cluster/KEY`. */
export type EventClusterItem = EventCluster & {
  readonly type: "cluster";
  readonly state: FlowState;
  readonly counts: FlowCounts;
  readonly matches: number;
};

/** One trigger in one cluster, at `flow/` and its id. Only in the view of a trigger or a cluster. */
export type EventFlowItem = {
  readonly type: "flow";
  readonly id: string;
  readonly trigger: { readonly kind: TriggerKind; readonly name: string };
  readonly cluster: EventCluster;
  readonly source: string;
  readonly state: FlowState;
  /** The first thing on the way that is not as it should be. `{cluster}` stands for the cluster. */
  readonly because?: string;
  readonly matches: number;
  readonly profiles: number;
  readonly changedAtMs?: number;
  /** Its nodes are among the items. */
  readonly isDrawn: boolean;
};

/** The steps on the way of an event, from left to right. */
export const flowSteps = ["EventSource", "EventReport", "EventTrigger", "Profile", "ClusterSummary", "Objects"] as const;
export type FlowStep = (typeof flowSteps)[number];

/** An object that matches. */
export type EventMatch = {
  readonly ref: ObjectName;
  /** Since when, as far as that can be known: a profile was made for it then, or it was seen to appear. */
  readonly sinceMs?: number;
};

/** Something that a script or a rule could not judge. */
export type ScriptFailure = {
  readonly message: string;
  /** Absent when all objects are concerned. */
  readonly resource?: ObjectName;
  /** A CEL rule that counts as false; otherwise the last verdict holds. */
  readonly isSkipped: boolean;
  /** Where in the script it fails. */
  readonly at?: ScriptLines;
};

/** Some lines of a script, and the one in which it fails. */
export type ScriptLines = {
  /** The field of the EventSource: `spec.resourceSelectors[0].evaluate`. */
  readonly path: string;
  readonly line: number;
  /** The number of the first of the lines. */
  readonly first: number;
  readonly lines: readonly string[];
};

/** A step of a flow, at `node/` and its id. */
export type EventNodeItem = {
  readonly type: "node";
  readonly id: string;
  readonly step: FlowStep;
  readonly title: string;
  readonly subtitle: string;
  readonly state: "ready" | "progressing" | "waiting" | "failed" | "skipped" | "gone";
  /** The state in other words: `2 match`. */
  readonly word?: string;
  readonly because?: string;
  /** Absent for what stands for several objects. */
  readonly ref?: ObjectName;
  /** Where the object is: in the management cluster when absent. */
  readonly cluster?: EventCluster;
  /** Since when it is so, or when it was last deployed. */
  readonly sinceMs?: number;
  /** Of a report: what matches, the latest first. */
  readonly matches?: readonly EventMatch[];
  /** Of a report: how many match. */
  readonly count?: number;
  /** Of a source. */
  readonly failures?: readonly ScriptFailure[];
  /** The EventSource that the objects were selected by, for those who ask what nearly matches. */
  readonly source?: string;
};

/** `to` follows from `from`. At `edge/` and both ids. */
export type EventEdgeItem = { readonly type: "edge"; readonly from: string; readonly to: string };

/** What an EventSource makes of an object: the nearer to a match, the earlier. */
export type CandidateVerdict = "matching" | "failed" | "rejected" | "labels" | "different";

/** An object of a kind that an EventSource selects. */
export type EventCandidate = { readonly ref: ObjectName; readonly verdict: CandidateVerdict; readonly because: string };

/** What an EventSource makes of the objects of a cluster now: the answer of `/api/c/CONTEXT/candidates`. */
export type EventCandidates = {
  readonly source: string;
  /** The nearest to a match first; some of them where there are many. */
  readonly candidates: readonly EventCandidate[];
  readonly counts: Readonly<Record<CandidateVerdict, number>>;
  readonly notices: readonly string[];
};
