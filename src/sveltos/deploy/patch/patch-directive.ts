import { isFields, PatchFault, type Fields } from "../../../core/object/index.ts";

/** How an object or a list of a patch meets what is there. */
type PatchDirective = "merge" | "replace" | "delete";

/** `$patch` of an object. */
export function fieldDirectiveOf(patch: Fields, path: string): PatchDirective {
  return Object.hasOwn(patch, "$patch") ? readDirective(patch["$patch"], path) : "merge";
}

/** `$patch` of a list: that of an element that has nothing else. */
export function listDirectiveOf(patch: readonly unknown[], path: string): PatchDirective {
  const element = patch.find(isListDirective);
  return isFields(element) ? readDirective(element["$patch"], path) : "merge";
}

export function withoutListDirective(patch: readonly unknown[]): readonly unknown[] {
  return patch.filter((element) => !isListDirective(element));
}

function isListDirective(element: unknown): boolean {
  return isFields(element) && Object.hasOwn(element, "$patch") && Object.keys(element).length === 1;
}

function readDirective(value: unknown, path: string): PatchDirective {
  if (isDirective(value)) return value;
  throw new PatchFault("Invalid", unknownDirectiveText(value, path));
}

function isDirective(value: unknown): value is PatchDirective {
  return value === "merge" || value === "replace" || value === "delete";
}

function unknownDirectiveText(value: unknown, path: string): string {
  return `${prefixOf(path)}unknown $patch ${JSON.stringify(value)}; expected merge, replace or delete`;
}

/** The values of `$patch` anywhere in a strategic merge patch that mean nothing. Its objects and their schemas need not be known. */
export function unknownDirectivesIn(patch: unknown, path = ""): readonly string[] {
  if (Array.isArray(patch)) return patch.flatMap((element, at) => unknownDirectivesIn(element, `${path}[${at}]`));
  if (!isFields(patch)) return [];
  const inside = Object.entries(patch).flatMap(([key, value]) =>
    key === "$patch" ? [] : unknownDirectivesIn(value, path === "" ? key : `${path}.${key}`),
  );
  const isKnown = !Object.hasOwn(patch, "$patch") || isDirective(patch["$patch"]);
  return isKnown ? inside : [unknownDirectiveText(patch["$patch"], path), ...inside];
}

const unknownDirectives = /^\$(setElementOrder|deleteFromPrimitiveList)\/|^\$retainKeys$/;

/**
 * Refuses a directive that would become a field of the object. Kustomize lets it, and the API server then refuses the object for a
 * field that nobody meant. Callers ask where the schema is known: elsewhere such a field may be meant.
 */
export function refuseUnknownDirective(key: string, path: string): void {
  if (unknownDirectives.test(key))
    throw new PatchFault("Invalid", `${prefixOf(path)}Kustomize does not know ${key}; use $patch, or a JSON patch for the order of a list`);
}

/** Refuses directives in the elements of a list that is replaced as a whole. */
export function refuseDirectivesIn(list: readonly unknown[], path: string): void {
  for (const [at, element] of list.entries()) {
    if (!isFields(element)) continue;
    for (const key of Object.keys(element)) refuseUnknownDirective(key, `${path}[${at}]`);
    if (Object.hasOwn(element, "$patch"))
      throw new PatchFault("Invalid", `${path}[${at}]: $patch means nothing here: the list has no merge key and is replaced as a whole`);
  }
}

function prefixOf(path: string): string {
  return path === "" ? "" : `${path}: `;
}
