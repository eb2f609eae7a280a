import type { InvalidManifests, LocatedManifest, ReadManifests } from "./manifest.ts";

/** The manifests of a command. Where some are invalid, none is applied, and all problems are reported together. */
export type LoadedManifests = { readonly manifests: readonly LocatedManifest[]; readonly invalid: InvalidManifests | undefined };

/** Joins what was read of several texts. */
export function joinManifests(read: readonly ReadManifests[]): LoadedManifests {
  const problems = read.flatMap((each) => each.problems);
  const repaired = read.flatMap((each) => each.repaired);
  const isPartial = read.some((each) => each.isPartial);
  return {
    manifests: read.flatMap(({ manifests }) => manifests),
    invalid: problems.length === 0 ? undefined : { problems, repaired, isPartial },
  };
}
