import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { clusterReferredTo, originOf } from "../../sveltos/api/index.ts";
import type { Occurrence } from "../../sveltos/inspect/index.ts";
import type { FleetProfileItem } from "../api/index.ts";
import { clusterKeyOf } from "./summary-cell.ts";

/** A profile or a trigger, without what follows from its cells. */
export type MatrixColumn = Omit<FleetProfileItem, "type" | "column" | "counts"> & {
  /** The keys of the clusters that it matches, with or without a ClusterSummary. */
  readonly matching: ReadonlySet<string>;
};

/** The column of a profile, by what it says of itself. */
export function columnOf(profile: KubeObject, said: readonly Occurrence[]): MatrixColumn {
  const { name, namespace = "", labels } = profile.metadata;
  const kind = profile.kind === "Profile" ? "Profile" : "ClusterProfile";
  const trigger = originOf(labels)?.trigger;
  // Its cells are those of the generated profiles, which may be thousands.
  if (trigger !== undefined)
    return { key: `EventTrigger//${trigger}`, kind: "EventTrigger", namespace: "", name: trigger, matching: new Set() };
  const matching = new Set(
    listAt(profile, "status.matchingClusters").flatMap((reference) => {
      const cluster = clusterReferredTo(reference);
      return cluster === undefined ? [] : [clusterKeyOf(cluster)];
    }),
  );
  const syncMode = stringAt(profile, "spec.syncMode", "Continuous");
  const message = said.find(({ state, cluster }) => state === "failing" && cluster === undefined)?.message;
  return { key: `${kind}/${namespace}/${name}`, kind, namespace, name, syncMode, matching, ...(message === undefined ? {} : { message }) };
}
