/** The objects of a fleet with many clusters and profiles, as its controller has left them. */
import { clusterSummaryLabels, clusterSummaryName, gvkOf, sveltosCrds } from "../../../src/sveltos/api/index.ts";
import { sveltosClusterReference } from "../fleet-objects.ts";
import { apiVersionOf, type KubeObject } from "../../../src/core/object/index.ts";

type LargeFleet = { readonly clusters: number; readonly profiles: number };

const regions = ["eu-central", "eu-west", "us-east", "us-west", "ap-south"] as const;
const stages = ["prod", "staging", "test"] as const;
const created = "2026-01-01T00:00:00Z";

/** SveltosClusters with labels `region` and `env`, ClusterProfiles that match them all, and a ClusterSummary for each pair. */
export function largeFleetObjects({ clusters, profiles }: LargeFleet): readonly KubeObject[] {
  const names = Array.from({ length: clusters }, (_, at) => `cluster-${String(at).padStart(4, "0")}`);
  const wanted = Array.from({ length: profiles }, (_, at) => `profile-${String(at).padStart(2, "0")}`);
  let version = 100;
  const object = (
    kind: "SveltosCluster" | "ClusterProfile" | "ClusterSummary",
    name: string,
    body: object,
    metadata: object = {},
  ): KubeObject => ({
    apiVersion: apiVersionOf(gvkOf(kind)),
    kind,
    metadata: {
      name,
      ...(kind === "ClusterProfile" ? {} : { namespace: "fleet" }),
      uid: `00000000-0000-4000-8000-${String(++version).padStart(12, "0")}`,
      resourceVersion: String(version),
      generation: 1,
      creationTimestamp: created,
      ...metadata,
    },
    ...body,
  });
  return [
    ...sveltosCrds().map(established),
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "fleet", uid: "00000000-0000-4000-8000-000000000001", resourceVersion: "1", creationTimestamp: created },
    },
    ...names.map((name, at) =>
      object(
        "SveltosCluster",
        name,
        { spec: {}, status: { ready: at % 97 !== 96, connectionStatus: at % 97 === 96 ? "Down" : "Healthy", version: "v1.34.1" } },
        { labels: { region: regions[at % regions.length]!, env: stages[at % stages.length]! } },
      ),
    ),
    ...wanted.map((name, column) =>
      object(
        "ClusterProfile",
        name,
        {
          spec: { clusterSelector: { matchLabels: {} }, policyRefs: [{ kind: "ConfigMap", namespace: "default", name }], maxUpdate: "10%" },
          status: { observedGeneration: 1, matchingClusters: names.map(sveltosClusterReference) },
        },
        { uid: uidOf(column) },
      ),
    ),
    ...names.flatMap((cluster, row) =>
      wanted.map((profile, column) => {
        const id = { type: "Sveltos", namespace: "fleet", name: cluster } as const;
        return object(
          "ClusterSummary",
          clusterSummaryName("ClusterProfile", profile, id),
          {
            spec: {
              clusterNamespace: "fleet",
              clusterName: cluster,
              clusterType: "Sveltos",
              clusterProfileSpec: { policyRefs: [{ kind: "ConfigMap", namespace: "default", name: profile }] },
            },
            status: { observedGeneration: 1, dependencies: "no dependencies", featureSummaries: [featureIn(row, column)] },
          },
          {
            labels: clusterSummaryLabels("ClusterProfile", { name: profile }, id),
            ownerReferences: [
              {
                apiVersion: "config.projectsveltos.io/v1beta1",
                kind: "ClusterProfile",
                name: profile,
                uid: uidOf(column),
              },
            ],
          },
        );
      }),
    ),
  ];
}

/** The uid of a profile. What names another one is deleted as an orphan. */
function uidOf(column: number): string {
  return `00000000-0000-4000-9000-${String(column).padStart(12, "0")}`;
}

/** A CRD as an API server has it that serves its kind. */
function established(crd: KubeObject): KubeObject {
  const { names, versions } = crd["spec"] as { names: object; versions: readonly { name: string; storage?: boolean }[] };
  const conditions = ["NamesAccepted", "Established"].map((type) => ({
    type,
    status: "True",
    lastTransitionTime: created,
    reason: type,
    message: "",
  }));
  const storedVersions = versions.filter(({ storage }) => storage === true).map(({ name }) => name);
  return { ...crd, status: { conditions, acceptedNames: names, storedVersions } };
}

/** Most are deployed. Some profiles fail in a region, and some clusters are behind. */
function featureIn(row: number, column: number): object {
  const featureID = "Resources";
  if (column % 10 === 3 && row % 5 === 1) {
    const pod = `web-7d4b9c6f5d-x${String(row).padStart(4, "0")}`;
    return { featureID, status: "Failed", failureMessage: `pod shop/${pod}: Back-off pulling image "registry.example/web:2"` };
  }
  if (column % 7 === 6 && row % 11 === 4) return { featureID, status: "Provisioning" };
  return { featureID, status: "Provisioned", lastAppliedTime: created };
}
