import type { Problem } from "../../core/fault/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";

type Findings = { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/**
 * What is wrong with the objects of a fleet among these. Most manifests have nothing to do with one, and what reads those that
 * have is loaded for them alone.
 */
export async function fleetFindings(manifests: readonly LocatedManifest[]): Promise<Findings> {
  if (!manifests.some(isOfFleet)) return { problems: [], warnings: [] };
  const { lintSveltosManifests } = await import("../../sveltos/lint/index.ts");
  return lintSveltosManifests(manifests);
}

function isOfFleet({ object: { apiVersion, metadata } }: LocatedManifest): boolean {
  return [apiVersion, ...Object.keys(metadata.annotations ?? {})].some((each) => each.includes("projectsveltos.io/"));
}
