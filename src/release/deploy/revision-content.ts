import { writeYaml, type LocatedManifest } from "../../lang/yaml/index.ts";
import { inKindOrder } from "../order/index.ts";
import { hookRecordOf, joinManifests, type Hook, type ManifestText, type RevisionContent } from "../record/index.ts";

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
