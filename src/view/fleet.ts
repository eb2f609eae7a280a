import { boxTable, wrapWords } from "./box-table.ts";
import { paintDiffLine } from "./diff-lines.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { goTime } from "./time-text.ts";

/** A cluster of a fleet. Not every object that names a cluster has its type. */
export type FleetClusterRef = { readonly type?: "Sveltos" | "Capi"; readonly namespace: string; readonly name: string };

/** A ClusterProfile or Profile; only the latter has a namespace. */
export type ProfileOutline = {
  readonly kind: "ClusterProfile" | "Profile";
  readonly namespace?: string;
  readonly name: string;
  /** The EventTrigger that generated it. */
  readonly trigger?: string;
};

/** A resource, or a release of a chart. */
type AddonItem =
  | { readonly type: "resource"; readonly group: string; readonly version: string; readonly kind: string }
  | { readonly type: "chart"; readonly chartVersion: string; readonly repoURL?: string; readonly appVersion?: string };

/** Something that is deployed in a cluster, and the profiles that deploy it. */
export type AddonOutline = AddonItem & {
  readonly cluster: FleetClusterRef;
  readonly namespace: string;
  readonly name: string;
  readonly lastAppliedTime?: string;
  /** Whether it is in the managed cluster itself, or for its sake in the management cluster. */
  readonly deploymentType: "Remote" | "Local";
  readonly profiles: readonly ProfileOutline[];
};

type AddonView = {
  /** The time zone of the times, as the time zone database names it. */
  readonly zone: string;
  /** The columns that sveltosctl has since 2025, and profiles with their kind. Default: those of 2023. */
  readonly wide?: boolean;
};

/** The table of deployed add-ons, as sveltosctl draws it; with the triggers at the end where profiles were generated. */
export function addonTable(addons: readonly AddonOutline[], { zone, wide = false }: AddonView): readonly string[] {
  const heads = ["CLUSTER", "RESOURCE TYPE", "NAMESPACE", "NAME", "VERSION", "TIME"];
  const hasTriggers = addons.some((addon) => triggersText(addon) !== "");
  const rows = addons.map((addon) => {
    const { cluster, namespace, name, lastAppliedTime, profiles } = addon;
    const version = addon.type === "chart" ? addon.chartVersion : "N/A";
    const common = [clusterText(cluster), typeOf(addon, "helm chart"), namespace, name, version, goTime(lastAppliedTime, zone)];
    const names = profiles.map((profile) => (wide ? profileText(profile) : profile.name)).join(";");
    const triggers = hasTriggers ? [triggersText(addon)] : [];
    return [...common, ...(wide ? [locations[addon.deploymentType]] : []), names, ...triggers];
  });
  const last = wide ? ["DEPLOYMENT TYPE", "PROFILES"] : ["CLUSTER PROFILES"];
  return boxTable([...heads, ...last, ...(hasTriggers ? ["EVENT TRIGGERS"] : [])], rows);
}

function triggersText({ profiles }: Pick<AddonOutline, "profiles">): string {
  return [...new Set(profiles.flatMap(({ trigger }) => trigger ?? []))].join(";");
}

const locations = { Remote: "Managed cluster", Local: "Management cluster" } as const;

/** A profile, or a ConfigMap or Secret that profiles reference, and the clusters that it is deployed to. */
export type UsageOutline = {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly clusters: readonly FleetClusterRef[];
};

/** The table of usages, as sveltosctl draws it. */
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
  /** The reason, or for an update the diff. */
  readonly message?: string;
};

/** The table of changes, as sveltosctl draws it. Diffs are left out. */
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

/** The diffs alone, grouped by cluster. */
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

/** The text for a cluster: `fleet/east`. */
export function clusterText({ namespace, name }: FleetClusterRef): string {
  return `${namespace}/${name}`;
}

/** The text for a profile: `ClusterProfile/web`. */
export function profileText({ kind, name }: ProfileOutline): string {
  return `${kind}/${name}`;
}

function typeOf(piece: AddonItem, chart: string): string {
  return piece.type === "chart" ? chart : `${piece.group}:${piece.kind}`;
}
