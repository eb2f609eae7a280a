import { once, readPieces } from "./file.ts";
import type { MergeType } from "./merge-type.ts";

const pieces = once(() => readPieces("merge-types.br").pieces);
const parsed = new Map<string, MergeType>();

/** The structured-merge-diff type of this name: a definition (see `definitionOf`), `__untyped_atomic_` or `__untyped_deduced_`. */
export function mergeTypeNamed(name: string): MergeType | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const text = pieces().get(name);
  if (text === undefined) return undefined;
  const type = JSON.parse(text) as MergeType;
  parsed.set(name, type);
  return type;
}
