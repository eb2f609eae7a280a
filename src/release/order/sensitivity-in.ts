import { refOf, type ObjectRef } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { ParsedAnnotations } from "./annotation-reader.ts";
import type { OrderingConstraints } from "./ordering-constraints.ts";
import { readAnnotations } from "./read-annotations.ts";

type Sensitivity = OrderingConstraints["sensitive"];

/** Which values of a manifest its annotations mark as sensitive. Annotations that cannot be read mark none. */
export function sensitivityIn(manifest: LocatedManifest): Sensitivity {
  return sensitivityOf(refOf(manifest.object), readAnnotations(manifest, { problems: [], warnings: [] }));
}

export function sensitivityOf({ group, kind }: ObjectRef, { sensitive, sensitivePaths }: ParsedAnnotations): Sensitivity {
  if (sensitivePaths !== undefined) return { whole: false, paths: sensitivePaths };
  return { whole: sensitive ?? (group === "" && kind === "Secret"), paths: [] };
}
