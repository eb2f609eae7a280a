import { listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { DryRunOutline } from "../../view/index.ts";
import { byPlace, clusterIn } from "./cluster.ts";
import { isChosen, type ProfileChoice } from "./choice.ts";
import { profileOf } from "./profile.ts";

/** Which reports are asked for; all when nothing is said. */
export type DryRunChoice = { readonly cluster?: string; readonly profile?: ProfileChoice };

/** What profiles in DryRun mode would do, by ClusterReports: by cluster, then by profile. */
export function dryRunsIn(reports: readonly KubeObject[], { cluster, profile }: DryRunChoice): readonly DryRunOutline[] {
  return reports
    .toSorted((a, b) => byPlace(clusterIn(a), clusterIn(b)))
    .flatMap(dryRunsOf)
    .filter((each) => cluster === undefined || each.cluster.name === cluster)
    .filter((each) => isChosen(each.profile, profile));
}

function dryRunsOf(report: KubeObject): readonly DryRunOutline[] {
  const common = { cluster: clusterIn(report), profile: profileOf(report) ?? { kind: "ClusterProfile", name: "" } } as const;
  const resources = ["resourceReports", "helmResourceReports", "kustomizeResourceReports"].flatMap((list) =>
    listAt(report, `status.${list}`),
  );
  return [
    ...listAt(report, "status.releaseReports").map((entry): DryRunOutline => ({ ...common, ...releaseOf(entry), ...verdictOf(entry) })),
    ...resources.map((entry): DryRunOutline => ({ ...common, ...resourceOf(entry), ...verdictOf(entry) })),
  ];
}

/** The release's name stands under `chartName`. */
function releaseOf(entry: Fields) {
  const text = (path: string) => stringAt(entry, path, "");
  return { type: "chart", chartVersion: text("chartVersion"), namespace: text("releaseNamespace"), name: text("chartName") } as const;
}

function resourceOf(entry: Fields) {
  const text = (path: string) => stringAt(entry, `resource.${path}`, "");
  const [group, version, kind] = [text("group"), text("version"), text("kind")];
  return { type: "resource", group, version, kind, namespace: text("namespace"), name: text("name") } as const;
}

function verdictOf(entry: Fields) {
  const message = stringAt(entry, "message");
  return { action: stringAt(entry, "action", ""), ...(message === undefined ? {} : { message }) };
}
