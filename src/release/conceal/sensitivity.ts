import { refOf, type KubeObject, type Path } from "../../core/object/index.ts";
import type { OrderingConstraints } from "../order/index.ts";

/** Which values of an object are sensitive, by its annotations. The values of a Secret always are. */
export type Sensitivity = OrderingConstraints["sensitive"];

/** Merges the sensitivity of two versions of an object: what one marks is hidden in both. */
export function mergeSensitivity(one: Sensitivity, other: Sensitivity): Sensitivity {
  return { whole: one.whole || other.whole, paths: [...new Set([...one.paths, ...other.paths])] };
}

/** `kubectl apply` stores a copy of all values here. */
const copy: Path = ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"];
const names = new Set(["apiVersion", "kind", "metadata"]);

/** The sensitive paths of an object. `*` is every field and every item. */
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

/** A name, `*`, an index, or a quoted name. */
const step = /\.(\*)|\.?((?:\\.|[^.[\]*\\'"?@,:\s])+)|\[(\*)\]|\[(\d+)\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/y;

/** Parses a JSONPath up to the first filter, slice or `..`; everything below that point is hidden. */
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
