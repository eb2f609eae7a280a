import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";
import { order, type Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { withEncodedStringData } from "./with-encoded-string-data.ts";
import { scopeOf, type KindFinder } from "./read-kinds.ts";

/** Orders manifests from a record. Problems are ignored, because recorded manifests were accepted once. */
export function orderRecorded(
  manifests: readonly LocatedManifest[],
  findKind: KindFinder,
  namespace: string,
): readonly Ordered<DesiredManifest>[] {
  const { ordered } = order(manifests, { namespace, scopeOf: (gvk) => scopeOf(findKind(gvk)) });
  return ordered.map(({ item, ref, constraints }) => ({
    item: { object: withEncodedStringData(item.object), at: positionText(item.at) },
    ref,
    constraints,
  }));
}
