import { valueHash } from "../../api/index.ts";
import { mergeMaps, readValues } from "../../../chart/index.ts";
import { LruCache } from "../../../core/cache/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { GoMap, toPlain } from "../../../lang/template/index.ts";
import type { OwnedTasks } from "../owned-tasks.ts";

/** A text with values. `where` names it in messages. */
export type ValuesText = { readonly where: string; readonly text: string };

/** Merges values, each over the last. Throws a Fault for a text that is none. */
export function mergedValues(texts: readonly ValuesText[]): GoMap {
  return texts.reduce((all, each) => mergeMaps(all, read(each)), new GoMap());
}

function read({ where, text }: ValuesText): GoMap {
  try {
    return readValues(text);
  } catch (error) {
    throw new Fault(where, error, { final: true });
  }
}

/** The handler of a worker. Its input comes from `hashOfValues`. */
export function valuesTask(input: unknown): string {
  return valueHash(toPlain(mergedValues(input as readonly ValuesText[])));
}

/** Hashes by the texts, which seldom change: a profile is looked at far more often. */
const knownHashes = new LruCache<string, string>({ maxEntries: 10_000 });

/** The hash of merged values: whoever changes a comment changes nothing. Throws a Fault for a text that is none. */
export async function hashOfValues(texts: readonly ValuesText[], tasks: OwnedTasks | undefined): Promise<string> {
  if (tasks === undefined) return valuesTask(texts);
  const key = valueHash(texts.map(({ text }) => text));
  const known = knownHashes.get(key);
  if (known !== undefined) return known;
  const at = texts[0]?.where ?? "values";
  const hash = await tasks.run({ handler: "values", input: texts, at, madeOf: key });
  if (typeof hash !== "string") throw new TypeError(`${at}: the worker answered with no hash`);
  knownHashes.set(key, hash);
  return hash;
}
