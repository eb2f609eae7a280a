import { listAt, stringAt, type Fields, type KubeObject } from "../../core/object/index.ts";
import type { ProfileContentItem } from "../api/index.ts";

/** What a profile deploys, in its order: charts, then resources. */
export function contentItems(profile: KubeObject): readonly (readonly [string, ProfileContentItem])[] {
  const contents = [
    ...listAt(profile, "spec.helmCharts").map(chartOf),
    ...listAt(profile, "spec.policyRefs").map((ref) => ({ feature: "Resources", title: titleOf(ref), ...pathOf(ref) }) as const),
    ...listAt(profile, "spec.kustomizationRefs").map((ref) => ({ feature: "Kustomize", title: titleOf(ref), ...pathOf(ref) }) as const),
  ];
  return contents.map((content, order) => [`content/${order}`, { type: "content", order, ...content }]);
}

function chartOf(chart: Fields): Omit<ProfileContentItem, "type" | "order"> {
  const text = (path: string) => stringAt(chart, path, "");
  const action = text("helmChartAction") === "Uninstall" ? "uninstalls " : "";
  const title = `${action}${text("releaseNamespace")}/${text("releaseName")}`;
  return { feature: "Helm", title, detail: `${text("chartName")} ${text("chartVersion")} from ${text("repositoryURL")}` };
}

function titleOf(ref: Fields): string {
  const namespace = stringAt(ref, "namespace", "");
  return `${stringAt(ref, "kind", "")} ${namespace === "" ? "" : `${namespace}/`}${stringAt(ref, "name", "")}`;
}

function pathOf(ref: Fields): { readonly detail?: string } {
  const path = stringAt(ref, "path", "");
  return path === "" ? {} : { detail: path };
}
