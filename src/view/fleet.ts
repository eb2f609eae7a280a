import { boxTable, wrapWords } from "./box-table.ts";
import { paintDiffLine } from "./diff-lines.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { goTime } from "./time-text.ts";

/** A cluster of a fleet. The type is not known of all that names one. */
export type FleetClusterRef = { readonly type?: "Sveltos" | "Capi"; readonly namespace: string; readonly name: string };

/** A ClusterProfile or Profile; only the latter has a namespace. */
export type ProfileOutline = { readonly kind: "ClusterProfile" | "Profile"; readonly namespace?: string; readonly name: string };

/** An object of a cluster, by group, version and kind; or a release of a chart. */
type AddonItem =
  | { readonly type: "resource"; readonly group: string; readonly version: string; readonly kind: string }
  | { readonly type: "chart"; readonly chartVersion: string; readonly repoURL?: string; readonly appVersion?: string };

/** Something that is deployed in a cluster, and the profiles that want it there. */
export type AddonOutline = AddonItem & {
  readonly cluster: FleetClusterRef;
  readonly namespace: string;
  readonly name: string;
  readonly lastAppliedTime?: string;
  /** Where it is: in the cluster itself, or on its behalf in the management cluster. */
  readonly deploymentType: "Remote" | "Local";
  readonly profiles: readonly ProfileOutline[];
};

export type AddonView = {
  /** The time zone in which times are told: a name of the time zone database. */
  readonly zone: string;
  /** The columns that sveltosctl has since 2025, and profiles with their kind. Default: those of 2023. */
  readonly wide?: boolean;
};

/** What is deployed, as sveltosctl shows it. */
export function addonTable(addons: readonly AddonOutline[], { zone, wide = false }: AddonView): readonly string[] {
  const heads = ["CLUSTER", "RESOURCE TYPE", "NAMESPACE", "NAME", "VERSION", "TIME"];
  const rows = addons.map((addon) => {
    const { cluster, namespace, name, lastAppliedTime, profiles } = addon;
    const version = addon.type === "chart" ? addon.chartVersion : "N/A";
    const common = [clusterText(cluster), typeOf(addon, "helm chart"), namespace, name, version, goTime(lastAppliedTime, zone)];
    const names = profiles.map((profile) => (wide ? profileText(profile) : profile.name)).join(";");
    return wide ? [...common, locations[addon.deploymentType], names] : [...common, names];
  });
  return boxTable([...heads, ...(wide ? ["DEPLOYMENT TYPE", "PROFILES"] : ["CLUSTER PROFILES"])], rows);
}

const locations = { Remote: "Managed cluster", Local: "Management cluster" } as const;

/** A profile, or a ConfigMap or Secret that profiles use, and the clusters in which it is. */
export type UsageOutline = {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly clusters: readonly FleetClusterRef[];
};

/** What is used where, as sveltosctl shows it. */
export function usageTable(usages: readonly UsageOutline[]): readonly string[] {
  const rows = usages.map(({ kind, namespace, name, clusters }) => [kind, namespace, name, clusters.map(clusterText).join("\n")]);
  return boxTable(["RESOURCE KIND", "RESOURCE NAMESPACE", "RESOURCE NAME", "CLUSTERS"], rows);
}

/** What a profile in DryRun mode would do to one object or release. */
export type DryRunOutline = AddonItem & {
  readonly cluster: FleetClusterRef;
  readonly profile: ProfileOutline;
  readonly namespace: string;
  readonly name: string;
  readonly action: string;
  /** Why, or for updates the difference. */
  readonly message?: string;
};

/** What would change, as sveltosctl shows it. A difference has no place in a table. */
export function dryRunTable(reports: readonly DryRunOutline[]): readonly string[] {
  const rows = reports.map((report) => {
    const { cluster, profile, namespace, name, action } = report;
    return [clusterText(cluster), typeOf(report, "helm release"), namespace, name, action, shortMessage(report), profileText(profile)];
  });
  return boxTable(["CLUSTER", "RESOURCE TYPE", "NAMESPACE", "NAME", "ACTION", "MESSAGE", "PROFILE"], rows);
}

const messageWidth = 60;

function shortMessage(report: DryRunOutline): string {
  return isDifference(report) ? "use --raw-diff to see full diff" : wrapWords((report.message ?? "").trim(), messageWidth);
}

function isDifference({ message = "" }: DryRunOutline): boolean {
  return message.startsWith("--- ");
}

/** The differences alone, under the cluster that they are in. */
export function rawDiffLines(reports: readonly DryRunOutline[], paint: Paint = plainPaint): readonly string[] {
  const clusters = Map.groupBy(reports.filter(isDifference), ({ cluster }) => clusterText(cluster));
  return [...clusters].flatMap(([cluster, members]) => [
    paint.strong(`Cluster: ${cluster}`),
    ...members.flatMap(({ message = "" }) => [
      ...message
        .trimEnd()
        .split("\n")
        .map((line) => paintDiffLine(line, paint)),
      "",
    ]),
  ]);
}

/** A cluster as it is spoken of: `fleet/east`. */
export function clusterText({ namespace, name }: FleetClusterRef): string {
  return `${namespace}/${name}`;
}

/** A profile with its kind: `ClusterProfile/web`. */
export function profileText({ kind, name }: ProfileOutline): string {
  return `${kind}/${name}`;
}

function typeOf(piece: AddonItem, chart: string): string {
  return piece.type === "chart" ? chart : `${piece.group}:${piece.kind}`;
}
