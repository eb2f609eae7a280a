import type { ObjectName } from "./release-items.ts";

/** What a visitor wants to be done in a context. */
export type ActionRequest =
  /** Brings a release back to an earlier revision, as a new one. */
  | { readonly type: "rollback"; readonly namespace: string; readonly name: string; readonly to: number }
  /** Deploys the latest revision of a release again. One that was interrupted is carried on. */
  | { readonly type: "redeploy"; readonly namespace: string; readonly name: string }
  /** Has all profiles of a cluster, or one of them, deployed to it again. */
  | {
      readonly type: "redeploy-cluster";
      readonly kind: "SveltosCluster" | "Cluster";
      readonly namespace: string;
      readonly name: string;
      readonly profile?: { readonly kind: "ClusterProfile" | "Profile"; readonly name: string };
    }
  /** Has a profile deployed again to all of its clusters. A ClusterProfile has no namespace. */
  | {
      readonly type: "redeploy-profile";
      readonly kind: "ClusterProfile" | "Profile";
      readonly namespace: string;
      readonly name: string;
    }
  /** Does what a file says that `sluice plan --save` wrote. */
  | { readonly type: "plan"; readonly file: string; readonly text: string };

/** The body of POST `/api/c/CONTEXT/actions/preview`. The page makes up the id; both requests about an action have the same one. */
export type PreviewRequest = { readonly id: string; readonly action: ActionRequest };

/** The body of POST `/api/c/CONTEXT/actions/start`, and of `…/dismiss`. */
export type StartRequest = { readonly id: string };

/** How an object is changed. Sensitive values are hidden. */
export type PreviewedChange = {
  readonly ref: ObjectName;
  readonly change: "created" | "updated" | "recreated" | "deleted";
  /** A unified diff of YAML; each line begins with a sign. A deletion has none. */
  readonly lines: readonly string[];
};

/** What an action is going to do: the answer of `/api/c/CONTEXT/actions/preview`. Nothing is changed before it is started. */
export type ActionPreview = {
  readonly id: string;
  /** `Roll back web to revision 3` */
  readonly title: string;
  /** The label of the button that starts it: `Roll back`. */
  readonly verb: string;
  /** Sentences that say what happens. */
  readonly summary: readonly string[];
  /** The plan as a tree, line by line. */
  readonly steps: readonly string[];
  readonly changes: readonly PreviewedChange[];
  /** Changes that are left out of `changes`, because there are too many. */
  readonly leftOut: number;
  readonly warnings: readonly string[];
  /** Why it cannot be done. Empty: it can. */
  readonly refusals: readonly string[];
  /** When a saved plan was drawn up. */
  readonly drawnUpAtMs?: number;
  /** The words of a command that does the same, without the context. Absent: there is none. */
  readonly command?: readonly string[];
};

/** How far an action is. `refused`: nothing was done. `interrupted`: it was stopped, and can be carried on. */
export type ActionState = "running" | "waiting" | "succeeded" | "failed" | "refused" | "interrupted";

/** An action that the visitor has started. Its key is its id. */
export type ActionItem = {
  readonly type: "action";
  readonly id: string;
  readonly title: string;
  readonly state: ActionState;
  /** What it waits for, or how it has ended. */
  readonly because?: string;
  /** The path of the view in which it is seen. */
  readonly path: string;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
};

/** A file with a plan may have this many bytes. */
export const maxPlanBytes = 16 * 1024 * 1024;

/** Whether an action is still at work. */
export function isAtWork({ state }: Pick<ActionItem, "state">): boolean {
  return state === "running" || state === "waiting";
}
