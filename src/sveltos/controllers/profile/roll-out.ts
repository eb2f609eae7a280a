import { clusterOfSummary, type ClusterId } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { isDeleting, type KubeObject } from "../../../core/object/index.ts";
import { clusterKeyOfSummary } from "./profile-key.ts";
import {
  finalUpdateFor,
  diffSummary,
  isObserved,
  isProvisioned,
  heldUpdateFor,
  isOwnedBy,
  desiredSummary,
  type ValidProfile,
} from "./desired-summary.ts";

/** One write of a ClusterSummary. */
export type SummaryWrite =
  | { readonly verb: "create"; readonly cluster: ClusterId; readonly object: KubeObject }
  /**
   * With `resetStatus` the status is reset first, so that Provisioned can only mean the new content. With `sameContent` the status
   * is about the new generation too.
   */
  | {
      readonly verb: "update";
      readonly cluster: ClusterId;
      readonly object: KubeObject;
      readonly resetStatus: boolean;
      readonly sameContent?: boolean;
    }
  /** `finalUpdate` is written first: the ClusterSummary with the present removal behavior of its profile. */
  | { readonly verb: "delete"; readonly cluster: ClusterId; readonly object: KubeObject; readonly finalUpdate?: KubeObject | undefined };

type RollOutInput = {
  readonly validProfile: ValidProfile;
  /** In the order in which they are updated. */
  readonly matching: readonly ClusterId[];
  /** All ClusterSummaries of this profile. */
  readonly summaries: readonly KubeObject[];
  /** The cluster is ready and not paused, so that an update can finish. */
  readonly canUpdate: (cluster: ClusterId) => boolean;
  /** A paused cluster does not count as updating. */
  readonly isPaused: (cluster: ClusterId) => boolean;
  /** The fleet knows the cluster. ClusterSummaries of unknown clusters are left alone. */
  readonly isKnown: (key: string) => boolean;
};

export type RollOut = {
  readonly writes: readonly SummaryWrite[];
  /** The clusters that do not have the present profile yet. Paused ones are left out: nothing is deployed there on purpose. */
  readonly outdated: readonly ClusterId[];
  /** Only with maxUpdate: the clusters that have the present profile, and those that are being updated to it. */
  readonly progress?: { readonly updating: readonly ClusterId[]; readonly updated: readonly ClusterId[] };
};

/** The writes to make now: each matching cluster gets its ClusterSummary, at most maxUpdate at a time, and the others lose theirs. */
export function rollOut(input: RollOutInput): RollOut {
  const { validProfile, matching } = input;
  const limit = limitOf(validProfile, matching.length);
  const removals = removalsIn(input);
  const clusters = clusterRollOutsIn(input);
  const outdated = clusters.filter(({ state, cluster }) => state !== "updated" && !input.isPaused(cluster)).map(({ cluster }) => cluster);
  if (limit === Infinity) return { writes: [...removals, ...clusters.flatMap(({ write }) => write ?? [])], outdated };
  const updating = clusters.filter(({ state, cluster }) => state === "updating" && !input.isPaused(cluster));
  const pending = clusters.filter(({ state, cluster }) => state === "pending" && input.canUpdate(cluster));
  // A failing update keeps its place and so blocks those that have not begun.
  const next = pending.slice(0, Math.max(0, limit - updating.length));
  const touched = clusters.filter(({ state }) => state !== "pending");
  return {
    writes: [
      ...removals,
      ...touched.flatMap(({ write }) => write ?? []),
      ...next.flatMap(({ write }) => (write === undefined ? [] : resettingStatus(write))),
    ],
    outdated,
    progress: {
      updating: [...updating, ...next].map(({ cluster }) => cluster),
      updated: clusters.filter(({ state }) => state === "updated").map(({ cluster }) => cluster),
    },
  };
}

/**
 * How many clusters may be updated at once; Infinity without maxUpdate or with 0. A percentage is rounded up, so that it is
 * never 0. A dry run changes nothing and has no limit.
 */
function limitOf({ profile: { maxUpdate, syncMode } }: ValidProfile, matching: number): number {
  const written = String(maxUpdate ?? 0);
  const number = Number(written.replace("%", ""));
  if (syncMode === "DryRun" || number === 0) return Infinity;
  return written.endsWith("%") ? Math.ceil((number * matching) / 100) : number;
}

/** The state of one cluster. While its ClusterSummary is being deleted, no new one can be created. */
type ClusterRollOut = {
  readonly cluster: ClusterId;
  readonly state: "updated" | "updating" | "pending" | "deleting";
  readonly write?: SummaryWrite;
};

function clusterRollOutsIn({ validProfile, matching, summaries }: RollOutInput): readonly ClusterRollOut[] {
  const byCluster = new Map(summaries.map((summary) => [clusterKeyOfSummary(summary), summary]));
  return matching.map((cluster) => clusterRollOutOf(validProfile, cluster, byCluster.get(clusterKey(cluster))));
}

function clusterRollOutOf(validProfile: ValidProfile, cluster: ClusterId, summary: KubeObject | undefined): ClusterRollOut {
  if (summary === undefined)
    return { cluster, state: "pending", write: { verb: "create", cluster, object: desiredSummary(validProfile, cluster) } };
  if (isDeleting(summary) || !isOwnedBy(validProfile.object, summary)) return { cluster, state: "deleting" };
  const diff = diffSummary(validProfile, cluster, summary);
  const update = { verb: "update", cluster, resetStatus: false, sameContent: diff.state === "metadata" } as const;
  const write = diff.state === "none" ? {} : { write: { ...update, object: diff.object } };
  if (diff.state === "spec") return { cluster, state: "pending", ...write };
  return { cluster, state: isObserved(summary) && isProvisioned(summary) ? "updated" : "updating", ...write };
}

function resettingStatus(write: SummaryWrite): SummaryWrite {
  return write.verb === "update" ? { ...write, resetStatus: true } : write;
}

function removalsIn({ validProfile, matching, summaries, isKnown }: RollOutInput): readonly SummaryWrite[] {
  const wanted = new Set(matching.map(clusterKey));
  const isRemoved = (summary: KubeObject) => {
    const key = clusterKeyOfSummary(summary);
    return !isDeleting(summary) && isKnown(key) && (!wanted.has(key) || !isOwnedBy(validProfile.object, summary));
  };
  return summaries.filter(isRemoved).map((summary) => removalOf(summary, validProfile.object));
}

/** Without a profile the ClusterSummary keeps its own removal behavior. */
export function removalOf(summary: KubeObject, profile?: KubeObject): SummaryWrite {
  const isOwn = profile !== undefined && isOwnedBy(profile, summary);
  const finalUpdate = isOwn ? finalUpdateFor(profile, summary) : undefined;
  return { verb: "delete", cluster: clusterOfSummary(summary), object: summary, finalUpdate };
}

/**
 * The writes that set or remove the pause annotation of a profile on its ClusterSummaries, and the labels of its tenant on those
 * being deleted.
 */
export function heldWrites(profile: KubeObject, summaries: readonly KubeObject[]): readonly SummaryWrite[] {
  return summaries.flatMap((summary) => {
    const object = heldUpdateFor(profile, summary);
    return object === undefined ? [] : [{ verb: "update", cluster: clusterOfSummary(summary), object, resetStatus: false }];
  });
}

/** Leaves out the ClusterSummaries that get another spec now, or go: what their statuses say is of the time before. */
export function withoutRewritten(summaries: readonly KubeObject[], writes: readonly SummaryWrite[]): readonly KubeObject[] {
  const specs = new Map(writes.flatMap(({ verb, cluster, object }) => (verb === "update" ? [[clusterKey(cluster), object["spec"]]] : [])));
  const removed = new Set(writes.flatMap(({ verb, object }) => (verb === "delete" ? [object.metadata.uid] : [])));
  return summaries.filter((summary) => {
    const key = clusterKeyOfSummary(summary);
    if (removed.has(summary.metadata.uid)) return false;
    return !specs.has(key) || specs.get(key) === summary["spec"];
  });
}
