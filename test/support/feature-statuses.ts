import { fieldsAt, listAt, stringAt } from "../../src/core/object/index.ts";
import type { Cluster } from "../../src/kube/index.ts";
import { gvkOf } from "../../src/sveltos/api/index.ts";

/** What became of a feature of a profile in a cluster. */
export type FeatureStatus = { readonly summary: string; readonly status: string; readonly message: string };

/** Reads the features of all ClusterSummaries. */
export async function readFeatures(hub: Cluster): Promise<readonly FeatureStatus[]> {
  const { items } = await hub.list(gvkOf("ClusterSummary"));
  return items.flatMap((summary) =>
    listAt(fieldsAt(summary, "status"), "featureSummaries").map((feature) => ({
      summary: summary.metadata.name,
      status: stringAt(feature, "status", ""),
      message: stringAt(feature, "failureMessage", ""),
    })),
  );
}

/** Whether a feature is one of a profile's. */
export function isFeatureOf({ summary }: FeatureStatus, profile: string): boolean {
  return summary.startsWith(`${profile}-`);
}
