import { callFirst } from "../run/call.ts";
import { allocateString, machine, raise, spend } from "../run/machine.ts";
import { luaTypeName } from "../run/metatable.ts";
import { luaLess } from "../run/operator.ts";
import type { LuaTable } from "../run/table.ts";
import { isTruthy, noValues, type LuaFunction, type LuaValue } from "../run/value.ts";
import { functionArg, integerArg, isArgMissing, optionalIntegerArg, optionalStringArg, tableArg } from "./argument.ts";
import { numberText } from "./number-text.ts";
import { sortTable } from "./sort.ts";

function concat(...args: LuaValue[]): string {
  const separator = optionalStringArg(args, 2, "");
  const table = tableArg(args, 1);
  const from = optionalIntegerArg(args, 3, 1);
  const to = optionalIntegerArg(args, 4, table.length);
  const parts: string[] = [];
  let length = 0;
  for (let index = from; index <= to; index++) {
    spend(1);
    const value = table.getNumber(index);
    if (typeof value !== "string" && typeof value !== "number") {
      raise(`invalid value (${luaTypeName(value)}) at index ${index} in table for 'concat'`);
    }
    const part = typeof value === "string" ? value : numberText(value);
    parts.push(part);
    length += part.length + separator.length;
    if (length > machine.longestString) allocateString(length);
  }
  allocateString(length);
  return parts.join(separator);
}

function insert(...args: LuaValue[]): LuaValue[] {
  const table = tableArg(args, 1);
  const end = table.length + 1;
  if (args.length === 2) {
    table.setNumber(end, args[1]);
    return noValues;
  }
  if (args.length !== 3) raise("wrong number of arguments to 'insert'");
  const position = integerArg(args, 2);
  if (position < 1 || position > end) insertOutside(table, position, args[2]);
  else {
    spend((end - position) >> 6);
    table.insert(position, args[2]);
  }
  return noValues;
}

/** Inserts outside the list part. Only a position below 1 shifts items. */
function insertOutside(table: LuaTable, position: number, value: LuaValue): void {
  const end = position > table.length ? position : table.length + 1;
  spend(end - position);
  for (let index = end; index > position; index--) table.set(index, table.getNumber(index - 1));
  table.set(position, value);
}

function remove(...args: LuaValue[]): LuaValue | LuaValue[] {
  const table = tableArg(args, 1);
  const end = table.length;
  const position = optionalIntegerArg(args, 2, end);
  if (position < 1 || position > end) return noValues;
  spend((end - position) >> 6);
  return table.remove(position);
}

function sort(...args: LuaValue[]): LuaValue[] {
  const table = tableArg(args, 1);
  const order = isArgMissing(args, 2) ? undefined : functionArg(args, 2);
  const isLess = (a: LuaValue, b: LuaValue) => (order === undefined ? luaLess(a, b, undefined) : isTruthy(callFirst(order, a, b)));
  sortTable(table, isLess);
  return noValues;
}

function forEach(entries: (table: LuaTable) => Iterable<[LuaValue, LuaValue]>): LuaFunction {
  return (...args) => {
    const call = functionArg(args, 2);
    for (const [key, value] of entries(tableArg(args, 1))) {
      const result = callFirst(call, key, value);
      if (result !== undefined) return result;
    }
    return noValues;
  };
}

function* entriesOf(table: LuaTable): Iterable<[LuaValue, LuaValue]> {
  const cursor = table.cursorAtStart();
  while (table.step(cursor)) yield [cursor.key, cursor.value];
}

function* itemsOf(table: LuaTable): Iterable<[LuaValue, LuaValue]> {
  for (let index = 1; index <= table.length; index++) yield [index, table.getNumber(index)];
}

function largestIndex(table: LuaTable): number {
  let largest = table.length;
  spend(table.hash?.size ?? 0);
  for (const key of table.hash?.keys() ?? []) if (typeof key === "number" && key > largest) largest = key;
  return largest;
}

/** The library `table`. */
export const tableLibrary: Readonly<Record<string, LuaFunction>> = {
  concat,
  foreach: forEach(entriesOf),
  foreachi: forEach(itemsOf),
  getn: (...args) => tableArg(args, 1).length,
  insert,
  maxn: (...args) => largestIndex(tableArg(args, 1)),
  remove,
  sort,
};
