import { charge, chargeSearch } from "../../../core/cost/index.ts";
import {
  GoList,
  GoMap,
  Pointer,
  compareGoStrings,
  goFunction,
  stringList,
  types,
  type FunctionTable,
  type Integer,
  type GoValue,
} from "../../template/index.ts";
import { strval } from "../strval.ts";
import { itemsOf } from "../items.ts";
import { goRunes } from "../text/rune.ts";

/** Splitting and joining. */
export const splitFunctions: FunctionTable = {
  split: goFunction("func(string, string) map[string]string", (separator: string, text: string) => numbered(pieces(text, separator, -1))),
  splitn: goFunction("func(string, int, string) map[string]string", (separator: string, count: Integer, text: string) =>
    numbered(pieces(text, separator, Number(count.value))),
  ),
  splitList: goFunction("func(string, string) []string", (separator: string, text: string) => stringList(pieces(text, separator, -1))),
  toStrings: goFunction("func(interface {}) []string", (value: GoValue) =>
    value instanceof GoList && value.type === types.stringList ? value : stringList(textsOf(value)),
  ),
  join: goFunction("func(string, interface {}) string", (separator: string, value: GoValue) => joined(textsOf(value), separator)),
  sortAlpha: goFunction("func(interface {}) []string", sortAlpha),
};

/** A text in a list, or in a map under a name. */
const costOfPart = 48;
/** More than a template may pay for. */
const mostParts = 2 ** 23;

/** Models strings.SplitN. A negative limit means no limit. */
function pieces(text: string, separator: string, limit: number): string[] {
  if (limit === 0) return [];
  if (separator === "") charge(costOfPart * text.length);
  chargeSearch(text, separator);
  const all = separator === "" ? goRunes(text) : text.split(separator, mostParts);
  charge(costOfPart * all.length);
  if (limit < 0 || all.length <= limit) return all;
  const head = separator === "" ? Array.from(text).slice(0, limit - 1) : all.slice(0, limit - 1);
  const rest = separator === "" ? Array.from(text).slice(limit - 1) : all.slice(limit - 1);
  return [...head, rest.join(separator)];
}

/** A text may be in a list many times. */
function joined(parts: readonly string[], separator: string): string {
  charge(parts.reduce((sum, part) => sum + part.length + separator.length, 0));
  return parts.join(separator);
}

function numbered(parts: readonly string[]): GoMap {
  return new GoMap(
    types.stringMap,
    parts.map((part, index) => [`_${index}`, part] as const),
  );
}

/** The elements as strings, without nil ones. A value that is not a list counts as a list of one. */
function textsOf(value: GoValue): string[] {
  if (value === null || value === undefined) return [];
  const items = itemsOf(value);
  if (items === undefined) return [strval(value)];
  return items.filter((item) => item !== null && item !== undefined).map(strval);
}

function sortAlpha(value: GoValue): GoValue {
  charge(costOfPart * (itemsOf(value)?.length ?? 0));
  const list = value instanceof Pointer ? value.target : value;
  return itemsOf(list) === undefined ? stringList([strval(value)]) : stringList(textsOf(value).sort(compareGoStrings));
}
