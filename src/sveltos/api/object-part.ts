import type { KubeObject } from "../../core/object/index.ts";

/** On a further part of what is too large for one object: the name of the first part, which has the name that Sveltos gives it. */
export const partOfAnnotation = "projectsveltos.io/part-of";

/** The number of the first part. */
export const firstPart = 1;

export function partName(whole: string, part: number): string {
  return part === firstPart ? whole : `${whole}--part-${part}`;
}

/** The name of what an object is, or is a part of. */
export function wholeNameOf({ metadata }: Pick<KubeObject, "metadata">): string {
  return metadata.annotations?.[partOfAnnotation] ?? metadata.name;
}
