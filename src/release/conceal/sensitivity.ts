import { refOf, type KubeObject, type Path } from "../../core/object/index.ts";
import type { OrderingConstraints } from "../order/index.ts";

/** What of an object is nobody's business, as its annotations say. Of a Secret, its values are in any case. */
export type Sensitivity = OrderingConstraints["sensitive"];

/** What two versions of an object want hidden: what one of them calls sensitive does not come to light in the other. */
export function mergeSensitivity(one: Sensitivity, other: Sensitivity): Sensitivity {
  return { whole: one.whole || other.whole, paths: [...new Set([...one.paths, ...other.paths])] };
}

/** What `kubectl apply` has written there holds every value once more. */
const copy: Path = ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"];
const names = new Set(["apiVersion", "kind", "metadata"]);

/** Where in an object something is to be hidden. `*` is every field and every item. */
export function sensitivePathsIn(object: KubeObject, { whole, paths }: Sensitivity): readonly Path[] {
  const { group, kind } = refOf(object);
  const secret = group === "" && kind === "Secret";
  const found: Path[] = secret
    ? [
        ["data", "*"],
        ["stringData", "*"],
      ]
    : [];
  if (whole && !secret) found.push(...everythingIn(object));
  for (const path of paths.map(followed)) found.push(...(path.length > 0 ? [path] : everywhereIn(object)));
  return found.length === 0 ? [] : [...found, copy];
}

function everythingIn(object: KubeObject): readonly Path[] {
  return Object.keys(object)
    .filter((name) => !names.has(name))
    .map((name) => [name, "*"]);
}

function everywhereIn(object: KubeObject): readonly Path[] {
  return [...everythingIn(object), ["metadata", "annotations", "*"], ["metadata", "labels", "*"]];
}

/** A name, `*`, an index, or a name in quotes. */
const step = /\.(\*)|\.?((?:\\.|[^.[\]*\\'"?@,:\s])+)|\[(\*)\]|\[(\d+)\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/y;

/** A JSONPath as far as it names a single way; what lies beyond a filter, a slice or `..` is hidden as a whole. */
function followed(text: string): Path {
  const path: (string | number)[] = [];
  const trimmed = text.trim().replace(/^\{|\}$/g, "");
  step.lastIndex = trimmed.startsWith("$") ? 1 : 0;
  while (step.lastIndex < trimmed.length) {
    const match = step.exec(trimmed);
    if (match === null) break;
    const [, every, name, all, index, single, double] = match;
    if (index !== undefined) path.push(Number(index));
    else path.push(every ?? all ?? single ?? double ?? name!.replaceAll(/\\(.)/g, "$1"));
  }
  return path;
}
