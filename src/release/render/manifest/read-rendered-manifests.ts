import { joinManifests, readManifests, type InvalidManifests, type LocatedManifest } from "../../../lang/yaml/index.ts";
import type { Rendering } from "../render.ts";

/** The objects of a chart, with their templates as positions. */
type ChartManifests = {
  /** The CRDs of `crds/`, which belong to no release. */
  readonly crds: readonly LocatedManifest[];
  /** Including hooks. */
  readonly manifests: readonly LocatedManifest[];
  /** What is wrong with any of them. */
  readonly invalid: InvalidManifests | undefined;
};

/**
 * Parses rendered manifests. Of a duplicate key the last one wins, as in Helm: many charts have them. A line of the
 * rendered text is none of the template, so a problem has the template's file and the object.
 */
export function readRenderedManifests({ crds, manifests, hooks }: Pick<Rendering, "crds" | "manifests" | "hooks">): ChartManifests {
  const brought = crds.map(({ file, text }) => readManifests(text, file, { duplicateKeys: "last wins" }));
  const rendered = [...manifests, ...hooks].map(({ file, text }) =>
    readManifests(text, file, { duplicateKeys: "last wins", isGenerated: true }),
  );
  return {
    ...joinManifests([...brought, ...rendered]),
    crds: joinManifests(brought).manifests,
    manifests: joinManifests(rendered).manifests,
  };
}
