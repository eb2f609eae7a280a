import { charge } from "../../../core/cost/index.ts";
import {
  GoList,
  deepEqual,
  goFunction,
  reflectKindOf,
  anyList,
  nilList,
  sliceOf,
  types,
  type FunctionTable,
  type GoFunction,
  type Integer,
  type GoValue,
} from "../../template/index.ts";
import { panic, nilPointer } from "../panic.ts";
import { requireItems, itemsOf } from "../items.ts";
import { toInteger } from "../number/cast.ts";
import { isEmptyValue } from "../is-empty.ts";

/** Lists. All functions but `slice` return new lists. */
export const listFunctions: FunctionTable = {
  list: goFunction("func(...interface {}) []interface {}", makeList),
  tuple: goFunction("func(...interface {}) []interface {}", makeList),
  ...both("append", "interface {}, interface {}", "[]interface {}", push),
  ...both("push", "interface {}, interface {}", "[]interface {}", push),
  ...both("prepend", "interface {}, interface {}", "[]interface {}", (value: GoValue, item: GoValue) =>
    anyList([item, ...requireItems(value, "Cannot prepend on type")]),
  ),
  ...both("first", "interface {}", "interface {}", (value: GoValue) => requireItems(value, "Cannot find first on type")[0] ?? null),
  ...both("last", "interface {}", "interface {}", (value: GoValue) => requireItems(value, "Cannot find last on type").at(-1) ?? null),
  ...both("rest", "interface {}", "[]interface {}", (value: GoValue) => orNil(requireItems(value, "Cannot find rest on type"), 1)),
  ...both("initial", "interface {}", "[]interface {}", (value: GoValue) =>
    orNil(requireItems(value, "Cannot find initial on type"), 0, -1),
  ),
  ...both("reverse", "interface {}", "[]interface {}", (value: GoValue) =>
    anyList(requireItems(value, "Cannot find reverse on type").toReversed()),
  ),
  ...both("compact", "interface {}", "[]interface {}", (value: GoValue) =>
    anyList(requireItems(value, "Cannot compact on type").filter((item) => !isEmptyValue(item))),
  ),
  ...both("uniq", "interface {}", "[]interface {}", (value: GoValue) => anyList(unique(requireItems(value, "Cannot find uniq on type")))),
  ...both("without", "interface {}, ...interface {}", "[]interface {}", (value: GoValue, ...omitted: GoValue[]) =>
    anyList(requireItems(value, "Cannot find without on type").filter((item) => !includes(omitted, item))),
  ),
  ...both("has", "interface {}, interface {}", "bool", has),
  ...both("slice", "interface {}, ...interface {}", "interface {}", slice),
  ...both("chunk", "int, interface {}", "[][]interface {}", chunk),
  concat: goFunction("func(...interface {}) interface {}", concat),
};

/** Declares a function under Sprig's two names. One panics and the other returns the error, which is the same for a template. */
function both(
  name: string,
  parameters: string,
  result: string,
  call: (...parameters: never[]) => GoValue,
): Readonly<Record<string, GoFunction>> {
  const must = `must${name[0]!.toUpperCase()}${name.slice(1)}`;
  return {
    [name]: goFunction(`func(${parameters}) ${result}`, call),
    [must]: goFunction(`func(${parameters}) (${result}, error)`, call),
  };
}

function makeList(...items: GoValue[]): GoList {
  return anyList(items);
}

function push(value: GoValue, item: GoValue): GoList {
  return anyList([...requireItems(value, "Cannot push on type"), item]);
}

/** A slice of the items; a nil slice when there are no items. */
function orNil(items: readonly GoValue[], from: number, to?: number): GoList {
  return items.length === 0 ? nilList() : anyList(items.slice(from, to));
}

function includes(items: readonly GoValue[], wanted: GoValue): boolean {
  return items.some((item) => deepEqual(wanted, item));
}

function unique(items: readonly GoValue[]): GoValue[] {
  const kept: GoValue[] = [];
  const texts = new Set<string>();
  const others: GoValue[] = [];
  for (const item of items) {
    const isKnown = typeof item === "string" ? texts.has(item) : includes(others, item);
    if (isKnown) continue;
    kept.push(item);
    if (typeof item === "string") texts.add(item);
    else others.push(item);
  }
  return kept;
}

function has(needle: GoValue, haystack: GoValue): boolean {
  if (haystack === null || haystack === undefined) return false;
  return includes(requireItems(haystack, "Cannot find has on type"), needle);
}

function slice(value: GoValue, ...indices: GoValue[]): GoValue {
  const items = requireItems(value, "list should be type of slice or array but");
  if (items.length === 0) return null;
  const start = indices.length > 0 ? Number(toInteger(indices[0])) : 0;
  const end = indices.length > 1 ? Number(toInteger(indices[1])) : items.length;
  const all = value instanceof GoList && value.spare.length > 0 ? [...items, ...value.spare] : items;
  if (start < 0 || end < start || end > all.length) panic("reflect.Value.Slice: slice index out of bounds");
  if (value instanceof Uint8Array) return value.subarray(start, end);
  if (!(value instanceof GoList)) return null;
  if (value.type.kind === "array") panic("reflect.Value.Slice: slice of unaddressable array");
  return new GoList(value.type, all.slice(start, end), { spare: all.slice(end) });
}

/** A list in a list. */
const costOfList = 128;

const listOfLists = sliceOf(types.anyList);

function chunk(size: Integer, value: GoValue): GoList {
  const items = requireItems(value, "Cannot chunk type");
  const length = Number(size.value);
  if (length <= 0) return badChunk(items.length, length);
  charge(costOfList * Math.ceil(items.length / length));
  const chunks: GoList[] = [];
  for (let at = 0; at < items.length; at += length) chunks.push(anyList(items.slice(at, at + length)));
  return new GoList(listOfLists, chunks);
}

/** Models the result of Go's arithmetic for sizes of zero or less. */
function badChunk(count: number, size: number): GoList {
  const chunks = Math.floor((count - 1) / size) + 1;
  return chunks === 0 ? new GoList(listOfLists, []) : panic("runtime error: makeslice: len out of range");
}

/** An item in a list. */
const costOfItem = 8;

function concat(...lists: GoValue[]): GoList {
  const all = lists.map(itemsToJoin);
  charge(costOfItem * all.reduce((sum, { length }) => sum + length, 0));
  const joined = all.flat(1);
  return joined.length === 0 ? nilList() : anyList(joined);
}

function itemsToJoin(value: GoValue): readonly GoValue[] {
  if (value === null || value === undefined) return panic(nilPointer);
  return itemsOf(value) ?? panic(`Cannot concat type ${reflectKindOf(value)} as list`);
}
