import { BadInput } from "../../../core/fault/index.ts";
import { readManifests, type LocatedManifest } from "../../../lang/yaml/index.ts";
import type { Rendering } from "../render.ts";

/** The objects of a chart, with their templates as positions. */
type ChartManifests = {
  /** The CRDs of `crds/`, which belong to no release. */
  readonly crds: readonly LocatedManifest[];
  /** Including hooks. */
  readonly manifests: readonly LocatedManifest[];
};

/** Parses rendered manifests, and throws all problems together. Of a duplicate key the last one wins, as in Helm: many charts have them. */
export function readRenderedManifests({ crds, manifests, hooks }: Rendering): ChartManifests {
  const [brought, rendered] = [crds, [...manifests, ...hooks]].map((parts) => {
    const read = parts.map(({ file, text }) => readManifests(text, file, { duplicateKeys: "last wins" }));
    return { manifests: read.flatMap((each) => each.manifests), problems: read.flatMap((each) => each.problems) };
  });
  const problems = [...(brought?.problems ?? []), ...(rendered?.problems ?? [])];
  if (problems.length > 0) throw new BadInput(problems);
  return { crds: brought?.manifests ?? [], manifests: rendered?.manifests ?? [] };
}
