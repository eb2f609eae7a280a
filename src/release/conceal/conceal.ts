import { equal, isExactInteger, isFields, ownField, type KubeObject, type Path } from "../../core/object/index.ts";
import { sensitivePathsIn, type Sensitivity } from "./sensitivity.ts";

/** The object with sensitive values hidden. Given the previous object, a hidden value also says whether it changed. */
export function concealed(object: KubeObject, sensitive: Sensitivity, before?: KubeObject): KubeObject {
  const shown = replaceAtPaths(object, sensitivePathsIn(object, sensitive), (value, at) => coverOf(value, at), before);
  return shown as KubeObject;
}

/** No size and no hash: either gives away a short password. */
function coverOf(value: unknown, before: unknown): string {
  return before === undefined || equal(value, before) ? "(hidden)" : "(hidden, changed)";
}

/** Replaces the values at these paths. A path that leads deeper than the object replaces its last existing value. */
export function replaceAtPaths(
  value: unknown,
  paths: readonly Path[],
  cover: (value: unknown, before: unknown) => unknown,
  before?: unknown,
): unknown {
  if (paths.length === 0 || value === undefined) return value;
  const list = Array.isArray(value);
  if (paths.some((path) => path.length === 0) || !(list || isMap(value))) return cover(value, before);
  if (list) {
    const previous: readonly unknown[] = Array.isArray(before) ? before : [];
    return value.map((item, at) => replaceAtPaths(item, below(paths, at), cover, previous[at]));
  }
  const previous = isMap(before) ? before : {};
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [
      name,
      replaceAtPaths(item, below(paths, name), cover, ownField(previous, name)),
    ]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isFields(value) && !isExactInteger(value);
}

function below(paths: readonly Path[], name: string | number): readonly Path[] {
  return paths.filter(([first]) => first === "*" || first === name).map((path) => path.slice(1));
}
