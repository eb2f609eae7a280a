import { firstPart, partName, partOfAnnotation } from "../api/index.ts";
import type { KubeObject } from "../../core/object/index.ts";

/** On a report that has further parts: their numbers, `2,3,7`. */
const partsAnnotation = "projectsveltos.io/report-parts";
/** On a part without the content of some of its matches, which is too large for it. */
const leftOutAnnotation = "projectsveltos.io/report-left-out";

/** The annotations of reports that are ours. */
export const reportAnnotationKeys: readonly string[] = [partsAnnotation, partOfAnnotation, leftOutAnnotation];

/** What the metadata of one part says. */
export type PartInfo = {
  readonly part: number;
  /** The numbers of all further parts, which the first part names. */
  readonly others: readonly number[];
  /** The content of some matches is left out. */
  readonly isLeftOut: boolean;
};

export function partMetadata(metadata: KubeObject["metadata"], { part, others, isLeftOut }: PartInfo): KubeObject["metadata"] {
  const annotations = {
    ...(part !== firstPart && { [partOfAnnotation]: metadata.name }),
    ...(part === firstPart && others.length > 0 && { [partsAnnotation]: others.join() }),
    ...(isLeftOut && { [leftOutAnnotation]: "true" }),
  };
  return { ...metadata, name: partName(metadata.name, part), ...(Object.keys(annotations).length > 0 && { annotations }) };
}

/** Whether the content of matches of this part is left out. */
export function hasLeftOut({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[leftOutAnnotation] !== undefined;
}

/** The numbers of the further parts of a report, in ascending order. */
export function furtherParts({ metadata }: KubeObject): readonly number[] {
  const numbers = (metadata.annotations?.[partsAnnotation] ?? "").split(",").map(Number);
  return numbers.filter((part) => Number.isInteger(part) && part > firstPart).toSorted((a, b) => a - b);
}

/** A report and its parts, as far as they exist. `missing`: the name of the first part that does not. */
type FoundParts = { readonly parts: readonly (readonly [number, KubeObject])[]; readonly missing?: string };

/** Finds the parts that a report names; `find` finds an EventReport by name. */
export function findParts(report: KubeObject, find: (name: string) => KubeObject | undefined): FoundParts {
  const parts: [number, KubeObject][] = [[firstPart, report]];
  let missing: string | undefined;
  for (const part of furtherParts(report)) {
    const name = partName(report.metadata.name, part);
    const object = find(name);
    if (object === undefined) missing ??= name;
    else parts.push([part, object]);
  }
  return { parts, ...(missing !== undefined && { missing }) };
}
