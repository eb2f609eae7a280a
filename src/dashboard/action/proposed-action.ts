import type { Cluster } from "../../kube/index.ts";
import type { ActionPreview, ActionState, View } from "../api/index.ts";

/** An action that is settled in full, and that nobody has started yet. */
export type ProposedAction = {
  readonly preview: Omit<ActionPreview, "id">;
  /** Where it is seen. */
  readonly view: View;
  /** It goes on with what was interrupted. Default false. */
  readonly carriesOn?: boolean;
  /** Does exactly what the preview says, or nothing. It never rejects. */
  readonly run: (options: ActionRunOptions) => Promise<ActionResult>;
};

export type ActionResult = { readonly state: Exclude<ActionState, "running" | "waiting">; readonly because: string };

export type ActionRunOptions = {
  /** Stops it in order: what is pending can be carried on. */
  readonly signal: AbortSignal;
  /** Who holds the Lease, in words for those who wait for it. */
  readonly identity: string;
  /** Whether a holder of a Lease is certainly dead. */
  readonly hasDied: (holder: string) => boolean;
  /** Is called with what it waits for before it begins, and with undefined when it does. */
  readonly onWaiting: (because: string | undefined) => void;
};

/** The cluster in which a visitor acts. All of it is done as the visitor. */
export type ActionContext = { readonly cluster: Cluster; readonly context: string; readonly signal: AbortSignal };
