import type { KubeObject } from "../../core/object/index.ts";
import type { AdmissionAttributes } from "../builtin/index.ts";
import type { MatchContext, ResourceVersion } from "./match-context.ts";

/** The objects of a write: a new one has no old object, a deleted one is the old object alone. */
export type WrittenObjects = { readonly object: KubeObject | null; readonly oldObject: KubeObject | null };

/** The objects of a write in the version that a webhook or a policy is asked about. What has a kind of its own stays as it is. */
export function versionedObjects(
  { operation, object, live, objectKind }: AdmissionAttributes,
  version: ResourceVersion,
  { convert }: Pick<MatchContext, "convert">,
): WrittenObjects {
  const shown = (each: KubeObject | undefined) => (each === undefined ? null : objectKind === undefined ? convert(each, version) : each);
  return operation === "DELETE" ? { object: null, oldObject: shown(object) } : { object: shown(object), oldObject: shown(live) };
}
