import { BadInput } from "../../../core/fault/index.ts";
import { readManifests, type LocatedManifest } from "../../../lang/yaml/index.ts";
import type { Rendering } from "../render.ts";

/** The objects of a chart, with the templates that they come from. */
export type ChartManifests = {
  /** What `crds/` brings, which belongs to nobody. */
  readonly crds: readonly LocatedManifest[];
  /** Hooks are among them. */
  readonly manifests: readonly LocatedManifest[];
};

/**
 * Reads what was rendered. All that is no Kubernetes object is thrown together. A key that is written twice counts as it
 * was written last, as with Helm: charts have many of those.
 */
export function readRenderedManifests({ crds, manifests, hooks }: Rendering): ChartManifests {
  const [brought, rendered] = [crds, [...manifests, ...hooks]].map((parts) => {
    const read = parts.map(({ file, text }) => readManifests(text, file, { duplicateKeys: "last wins" }));
    return { manifests: read.flatMap((each) => each.manifests), problems: read.flatMap((each) => each.problems) };
  });
  const problems = [...(brought?.problems ?? []), ...(rendered?.problems ?? [])];
  if (problems.length > 0) throw new BadInput(problems);
  return { crds: brought?.manifests ?? [], manifests: rendered?.manifests ?? [] };
}
