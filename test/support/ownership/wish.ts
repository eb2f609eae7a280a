import { chartOf } from "../chart-of.ts";

/** What a profile wants. */
export type Wish = {
  readonly tier: number;
  /** The numbers of the objects. */
  readonly objects: readonly number[];
  readonly syncMode: "Continuous" | "ContinuousWithDriftDetection" | "OneTime";
  readonly leaves: boolean;
  /** It wants the Helm release that there is, too. */
  readonly release: boolean;
};

/** A wish, the profile that has it, and the number of the change that made it. */
export type Held = Wish & { readonly name: string; readonly change: number };
/** A chart that deploys one ConfigMap, `tiny`. */
export const charts = () =>
  Promise.resolve({
    chart: chartOf({
      "Chart.yaml": "apiVersion: v2\nname: tiny\nversion: 0.1.0\n",
      "templates/a.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tiny}\ndata: {v: "{{ .Values.v }}"}\n',
    }),
  });

export function objectName(number: number): string {
  return `o${number}`;
}

export function profileYaml({ name, tier, objects, syncMode, leaves, release, change }: Held): string {
  const manifests = objects.map((number) =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: objectName(number), namespace: "default" },
      data: { v: String(change) },
    }),
  );
  return `
apiVersion: v1
kind: ConfigMap
metadata: {name: content-${name}, namespace: default}
data: {all.yaml: ${JSON.stringify(manifests.join("\n---\n"))}}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: ${name}}
spec:
  clusterSelector: {matchLabels: {env: fv}}
  tier: ${tier}
  syncMode: ${syncMode}
  continueOnConflict: true
  stopMatchingBehavior: ${leaves ? "LeavePolicies" : "WithdrawPolicies"}
  policyRefs: [{kind: ConfigMap, namespace: default, name: content-${name}}]
  ${release ? `helmCharts: [{repositoryURL: "http://charts.example", repositoryName: r, chartName: r/tiny, chartVersion: 0.1.0, releaseName: tiny, releaseNamespace: default, values: 'v: "${change}"'}]` : ""}
`;
}
