import { once, readEntries } from "./packed-file.ts";
import type { Atom } from "../managedfields/index.ts";

const entries = once(() => readEntries("merge-types.br").pieces);
const parsed = new Map<string, Atom>();

/** The structured-merge-diff type of this name: a schema name (see `schemaNameOf`), `__untyped_atomic_` or `__untyped_deduced_`. */
export function mergeTypeNamed(name: string): Atom | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const text = entries().get(name);
  if (text === undefined) return undefined;
  const type = JSON.parse(text) as Atom;
  parsed.set(name, type);
  return type;
}
