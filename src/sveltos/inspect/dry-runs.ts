import { listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { DryRunOutline } from "../../view/index.ts";
import { clusterRefIn, compareClusters, isClusterCalled } from "./cluster-ref.ts";
import { ownerProfileOf } from "./owner-profile.ts";
import { matchesProfile, type ProfileFilter } from "./profile-filter.ts";

/** Selects reports; an absent field selects all. */
type DryRunFilter = { readonly cluster?: string; readonly profile?: ProfileFilter };

/** Lists what profiles in DryRun mode would do from ClusterReports, by cluster and then by profile. */
export function dryRunsIn(reports: readonly KubeObject[], { cluster, profile }: DryRunFilter): readonly DryRunOutline[] {
  return reports
    .toSorted((a, b) => compareClusters(clusterRefIn(a), clusterRefIn(b)))
    .flatMap(dryRunsOf)
    .filter((each) => cluster === undefined || isClusterCalled(each.cluster, cluster))
    .filter((each) => matchesProfile(each.profile, profile));
}

function dryRunsOf(report: KubeObject): readonly DryRunOutline[] {
  const common = { cluster: clusterRefIn(report), profile: ownerProfileOf(report) ?? { kind: "ClusterProfile", name: "" } } as const;
  const resources = ["resourceReports", "helmResourceReports", "kustomizeResourceReports"].flatMap((list) =>
    listAt(report, `status.${list}`),
  );
  return [
    ...listAt(report, "status.releaseReports").map((entry): DryRunOutline => ({ ...common, ...releaseOf(entry), ...actionOf(entry) })),
    ...resources.map((entry): DryRunOutline => ({ ...common, ...resourceOf(entry), ...actionOf(entry) })),
  ];
}

/** Sveltos writes the name of the release into `chartName`. */
function releaseOf(entry: Fields) {
  const text = (path: string) => stringAt(entry, path, "");
  return { type: "chart", chartVersion: text("chartVersion"), namespace: text("releaseNamespace"), name: text("chartName") } as const;
}

function resourceOf(entry: Fields) {
  const text = (path: string) => stringAt(entry, `resource.${path}`, "");
  const [group, version, kind] = [text("group"), text("version"), text("kind")];
  return { type: "resource", group, version, kind, namespace: text("namespace"), name: text("name") } as const;
}

function actionOf(entry: Fields) {
  const message = stringAt(entry, "message");
  return { action: stringAt(entry, "action", ""), ...(message === undefined ? {} : { message }) };
}
