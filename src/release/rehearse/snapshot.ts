import type { KubeObject } from "../../core/object/index.ts";
import type { DurationEvidence } from "./learn-behaviour.ts";

/** What a rehearsal takes over from a live cluster. Plain data that survives JSON. */
export type Snapshot = {
  readonly takenAt: string;
  /** The version of its API server: `v1.35.8`. */
  readonly kubernetes: string;
  /** The namespaces that were read, that of the release first. Absent in files of older versions. */
  readonly namespaces?: readonly string[];
  /** Objects as the API server returned them; pods of other namespaces with no more than what scheduling needs. */
  readonly objects: readonly KubeObject[];
  /** What could not be read, and why. The rehearsal goes on without it. */
  readonly unseen: readonly Unseen[];
  /** What the deploy does and the user may not do: `delete configmaps in shop`. Absent in files of older versions. */
  readonly missingRights?: readonly string[];
  /** The webhooks of the cluster. A rehearsal calls none of them. */
  readonly webhooks: readonly string[];
  /** How long pods and custom resources have taken so far, the best evidence first. */
  readonly evidence: readonly DurationEvidence[];
};

export type Unseen = { readonly what: string; readonly because: string };
