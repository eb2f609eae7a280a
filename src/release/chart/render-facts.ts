import type { Cluster } from "../../kube/index.ts";
import type { Fields } from "../../core/object/index.ts";
import { deployedOf, historyOf, latestOf, type Release } from "../record/index.ts";
import type { Capabilities } from "../render/index.ts";
import { readCapabilities } from "./read-capabilities.ts";

/** What the rendering of a chart depends on besides the chart, its values and lookups. Data that can be cloned. */
export type RenderFacts = {
  readonly release: Release & { readonly revision: number; readonly isUpgrade: boolean };
  readonly capabilities: Capabilities;
  /** The revision whose values may be reused, as it is recorded. */
  readonly previous: { readonly chart: Fields; readonly config: Fields } | undefined;
};

export async function readRenderFacts(
  release: Release,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<RenderFacts> {
  const revisions = await historyOf(cluster).revisions(release, { signal });
  const before = deployedOf(revisions) ?? latestOf(revisions);
  const previous = before === undefined || before.state === "uninstalled" ? undefined : before;
  return {
    release: {
      ...release,
      revision: (latestOf(revisions)?.revision ?? 0) + 1,
      isUpgrade: revisions.some(({ state }) => state === "deployed" || state === "superseded"),
    },
    capabilities: await readCapabilities(cluster, { signal }),
    previous: previous === undefined ? undefined : { chart: { values: previous.chart["values"] }, config: previous.config },
  };
}
