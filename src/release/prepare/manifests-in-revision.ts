import { BadInput } from "../../core/fault/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import { readManifestTexts, splitManifests, type ManifestText, type Revision } from "../record/index.ts";

/** The manifests of a revision. Throws when one cannot be read, and names the revision. */
export function manifestsInRevision({ manifest, hooks, revision, name }: Revision): readonly LocatedManifest[] {
  const parts = [...splitManifests(manifest), ...hooks.map((hook): ManifestText => ({ source: hook.path, text: hook.manifest }))];
  const { manifests, problems } = readManifestTexts(parts);
  if (problems.length === 0) return manifests;
  const of = `revision ${revision} of release ${name}`;
  throw new BadInput(problems.map(({ at, message }) => ({ at, message: `${of} cannot be read: ${message}` })));
}
