import { BadInput } from "../../core/fault/index.ts";
import { writeYaml, type LocatedManifest } from "../../lang/yaml/index.ts";
import { inKindOrder } from "../order/index.ts";
import {
  hookRecordOf,
  joinManifests,
  readManifestTexts,
  splitManifests,
  type RevisionContent,
  type Hook,
  type ManifestText,
  type Revision,
} from "../record/index.ts";

/** What a record stores of manifests: the resources in Helm's install order, and the hooks. */
export function revisionContentOf(manifests: readonly LocatedManifest[]): RevisionContent {
  const regular: ManifestText[] = [];
  const hooks: Hook[] = [];
  for (const { object, at } of inKindOrder(manifests, (manifest) => manifest.object.kind)) {
    const part: ManifestText = { source: at.file, text: writeYaml(object) };
    const hook = hookRecordOf(object, part);
    if (hook === undefined) regular.push(part);
    else hooks.push(hook);
  }
  return { manifest: joinManifests(regular), hooks };
}

/** The manifests of a revision. Throws when one cannot be read, and names the revision. */
export function manifestsInRevision({ manifest, hooks, revision, name }: Revision): readonly LocatedManifest[] {
  const parts = [...splitManifests(manifest), ...hooks.map((hook): ManifestText => ({ source: hook.path, text: hook.manifest }))];
  const { manifests, problems } = readManifestTexts(parts);
  if (problems.length === 0) return manifests;
  const of = `revision ${revision} of release ${name}`;
  throw new BadInput(problems.map(({ at, message }) => ({ at, message: `${of} cannot be read: ${message}` })));
}
