import { isDeleting, listAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import { clusterReferredTo } from "../../sveltos/api/index.ts";
import type { CellState, FleetReasonItem, Item, ProfileClusterItem, RollOutPhase } from "../api/index.ts";
import { heldBack } from "../fleet/fleet-matrix.ts";
import { ReasonTable } from "../fleet/reason-table.ts";
import { cellIn } from "../fleet/reduce-fleet-object.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";

type Known = { readonly key: string; readonly state: CellState; readonly reason?: string; readonly summary?: KubeObject };

/** The clusters of a profile, how each is doing, and the reasons that they share. */
export class ProfileClusters {
  readonly #reasons = new ReasonTable();
  readonly #texts = new Map<number, string>();
  #used: readonly number[] = [];

  /** The items of all clusters by a profile and its reduced ClusterSummaries. Those that may not be read are not missing. */
  items(profile: KubeObject | undefined, summaries: readonly KubeObject[], isAllRead: boolean): readonly (readonly [string, Item])[] {
    const known = knownIn(isAllRead ? profile : undefined, summaries);
    const phaseOf = phases(profile);
    const before = this.#used;
    const used: number[] = [];
    const clusters = known.map((each) => {
      const reason = each.reason === undefined ? undefined : this.#reasons.use(each.reason);
      if (reason !== undefined) used.push(reason);
      return itemOf(each, phaseOf(each), reason);
    });
    this.#used = used;
    // Reasons that stay keep their numbers, since the new ones are held already.
    for (const number of before) this.#reasons.release(number);
    return [...clusters.map((item) => [`cluster/${item.key}`, item] as const), ...this.#reasonItems()];
  }

  #reasonItems(): readonly (readonly [string, FleetReasonItem])[] {
    for (const [number, text] of this.#reasons.takeChanges()) {
      if (text === undefined) this.#texts.delete(number);
      else this.#texts.set(number, text);
    }
    return [...this.#texts].map(([number, text]) => [`reason/${number}`, { type: "reason", number, text }]);
  }
}

/** The clusters with a ClusterSummary, and those that match without one. */
function knownIn(profile: KubeObject | undefined, summaries: readonly KubeObject[]): readonly Known[] {
  const deployed = summaries.flatMap((summary): readonly Known[] => {
    const cell = cellIn(summary);
    if (cell === undefined) return [];
    return [{ key: cell.cluster, state: cell.state, ...(cell.reason === undefined ? {} : { reason: cell.reason }), summary }];
  });
  const keys = new Set(deployed.map(({ key }) => key));
  const waiting = [...keysAt(profile, "status.matchingClusters")].filter((key) => !keys.has(key));
  return [...deployed, ...waiting.map((key) => ({ key, state: "waiting", reason: heldBack }) as const)];
}

/** How far clusters are. With a limit the profile says so itself, for a cluster may be ready with what it had before. */
function phases(profile: KubeObject | undefined): (cluster: Known) => RollOutPhase {
  const updated = keysAt(profile, "status.updatedClusters.clusters");
  const updating = keysAt(profile, "status.updatingClusters.clusters");
  const isLimited = updated.size > 0 || updating.size > 0;
  return ({ key, state, summary }) => {
    if (summary === undefined) return "pending";
    if (isDeleting(summary)) return "removing";
    if (!isLimited) return state === "ready" ? "updated" : "updating";
    return updated.has(key) ? "updated" : updating.has(key) ? "updating" : "pending";
  };
}

function keysAt(profile: KubeObject | undefined, path: string): ReadonlySet<string> {
  return new Set(listAt(profile, path).flatMap(keyOfReference));
}

function keyOfReference(reference: Fields): readonly string[] {
  const cluster = clusterReferredTo(reference);
  return cluster === undefined ? [] : [clusterKeyOf(cluster)];
}

function itemOf({ key, state, summary }: Known, phase: RollOutPhase, reason: number | undefined): ProfileClusterItem {
  const [kind = "", namespace = "", name = ""] = key.split("/");
  return {
    type: "cluster",
    key,
    kind: kind === "Cluster" ? "Cluster" : "SveltosCluster",
    namespace,
    name,
    state,
    ...(reason === undefined ? {} : { reason }),
    phase,
    ...(summary === undefined ? {} : { summary: summary.metadata.name }),
  };
}
