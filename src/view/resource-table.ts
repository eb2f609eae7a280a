import { boxTable, wrapWords } from "./box-table.ts";
import { clusterText, profileText, type FleetClusterRef, type ProfileOutline } from "./fleet.ts";
import { plainLine } from "./text-width.ts";
import type { Paint } from "./step-progress-line.ts";

/** An object that a profile has deployed, and how it is doing. */
export type ResourceOutline = {
  readonly cluster: FleetClusterRef;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** `unknown`: it could not be looked at. */
  readonly health: "ready" | "progressing" | "failed" | "missing" | "unknown";
  readonly message?: string;
  /** Whether it is in the managed cluster itself, or for its sake in the management cluster. */
  readonly deploymentType: "Remote" | "Local";
  /** The Helm release that it is part of. */
  readonly release?: { readonly namespace: string; readonly name: string };
  readonly profiles: readonly ProfileOutline[];
};

const messageWidth = 70;

/** The table of deployed objects with their health. The trigger that generated a profile stands behind it. */
export function resourceTable(resources: readonly ResourceOutline[]): readonly string[] {
  const rows = resources.map(({ cluster, group, kind, namespace, name, health, message = "", profiles }) => {
    const names = profiles.map((profile) => `${profileText(profile)}${profile.trigger === undefined ? "" : ` (${profile.trigger})`}`);
    return [
      clusterText(cluster),
      `${group}:${kind}`,
      namespace,
      name,
      health,
      wrapWords(plainLine(message), messageWidth),
      names.join("\n"),
    ];
  });
  return boxTable(["CLUSTER", "RESOURCE TYPE", "NAMESPACE", "NAME", "HEALTH", "MESSAGE", "PROFILES"], rows);
}

/** `31 of 33 objects ready, 1 failed, 1 unknown`. */
export function resourceSummary(resources: readonly ResourceOutline[], paint: Paint): string {
  const counts = Map.groupBy(resources, ({ health }) => health);
  const count = (health: ResourceOutline["health"]) => counts.get(health)?.length ?? 0;
  const others = (["progressing", "failed", "missing", "unknown"] as const).flatMap((each) =>
    count(each) === 0 ? [] : [`${count(each)} ${each}`],
  );
  const text = [`${count("ready")} of ${resources.length} objects ready`, ...others].join(", ");
  return others.length === 0 ? paint.good(text) : paint.bad(text);
}
