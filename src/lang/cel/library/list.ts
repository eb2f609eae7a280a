import { celAdd, listElements } from "../arithmetic.ts";
import { declare, global, member, takes, type Cost, type FunctionDeclaration, type Overload } from "../declaration.ts";
import { celCompare, celEqual } from "../equal.ts";
import { fail, noSuchOverload } from "../failure.ts";
import { Meter } from "../meter.ts";
import { sizeOf } from "../size.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  typeParameter,
  stringType,
  timestampType,
  uintType,
  type CelType,
} from "../type.ts";
import { CelDuration, Items, ListValue, MapValue, typeNameOf, Uint, type CelValue } from "../value.ts";

const A = typeParameter("A");
const any = takes.list(A);

const comparable: readonly (readonly [string, CelType])[] = [
  ["int", intType],
  ["uint", uintType],
  ["double", doubleType],
  ["bool", boolType],
  ["duration", durationType],
  ["timestamp", timestampType],
  ["string", stringType],
  ["bytes", bytesType],
];

/** 1 for every scalar and a tenth for every character. Models apiserver pkg/cel/library/cost.go traversalCost */
const through: Cost = ([value]) => {
  const meter = new Meter(Number.POSITIVE_INFINITY);
  return traversalCost(value ?? null, meter);
};

function traversalCost(value: CelValue, meter: Meter): number {
  meter.step();
  if (typeof value === "string") return Math.trunc(new TextEncoder().encode(value).length * 0.1);
  if (value instanceof Uint8Array) return Math.trunc(value.length * 0.1);
  if (value instanceof ListValue) return listElements(value).reduce((sum: number, each) => sum + traversalCost(each, meter), 0);
  if (!(value instanceof MapValue)) return 1;
  return value.keys().reduce((sum: number, key) => sum + traversalCost(key, meter) + traversalCost(value.find(key) ?? null, meter), 0);
}

/** Charges a comparison of each element with one other, `times` over. */
function chargeOrder(list: ListValue, meter: Meter, times = 1): readonly CelValue[] {
  const items = listElements(list);
  meter.step(items.length * times);
  for (const each of items) if (typeof each === "string" || each instanceof Uint8Array) meter.step((each.length >> 4) * times);
  return items;
}

function order(left: CelValue, right: CelValue): number {
  return celCompare(left, right) ?? noSuchOverload();
}

function isSorted(list: ListValue, meter: Meter): boolean {
  return chargeOrder(list, meter).every((each, index, items) => index === 0 || order(items[index - 1] ?? null, each) <= 0);
}

function extreme(name: string, sign: number): (list: ListValue, meter: Meter) => CelValue {
  return (list, meter) => {
    const items = chargeOrder(list, meter);
    if (items.length === 0) return fail(`${name} called on empty list`);
    return items.reduce((best, each) => (order(best, each) === sign ? each : best));
  };
}

const zeros: readonly (readonly [string, CelType, CelValue])[] = [
  ["int", intType, 0n],
  ["uint", uintType, new Uint(0n)],
  ["double", doubleType, 0],
  ["duration", durationType, new CelDuration(0n)],
];

/** One overload for every ordered type. */
function ordered(
  id: (name: string) => string,
  result: (type: CelType) => CelType,
  call: (list: ListValue, meter: Meter) => CelValue,
  cost: Cost,
): readonly Overload[] {
  return comparable.map(([name, type]) => member(id(name), [takes.list(type)], result(type), call, cost));
}

function position(list: ListValue, sought: CelValue, meter: Meter): bigint {
  return BigInt(listElements(list).findIndex((each) => celEqual(each, sought, meter)));
}

function lastPosition(list: ListValue, sought: CelValue, meter: Meter): bigint {
  return BigInt(listElements(list).findLastIndex((each) => celEqual(each, sought, meter)));
}

/** Models apiserver pkg/cel/library/lists.go */
const kubernetesLists: readonly FunctionDeclaration[] = [
  declare(
    "isSorted",
    ...ordered(
      (name) => `list_${name}_is_sorted_bool`,
      () => boolType,
      isSorted,
      through,
    ),
  ),
  declare(
    "sum",
    ...zeros.map(([name, type, zero]) =>
      member(
        `list_${name}_sum_${name}`,
        [takes.list(type)],
        type,
        (list, meter) => listElements(list).reduce((sum, each) => celAdd(sum, each, meter), zero),
        through,
      ),
    ),
  ),
  declare(
    "max",
    ...ordered(
      (name) => `list_${name}_max_${name}`,
      (type) => type,
      extreme("max", -1),
      through,
    ),
  ),
  declare(
    "min",
    ...ordered(
      (name) => `list_${name}_min_${name}`,
      (type) => type,
      extreme("min", 1),
      through,
    ),
  ),
  declare("indexOf", member("list_a_index_of_int", [any, takes.any(A)], intType, position, through)),
  declare("lastIndexOf", member("list_a_last_index_of_int", [any, takes.any(A)], intType, lastPosition, through)),
];

function slice(list: ListValue, start: bigint, end: bigint): ListValue {
  const what = `cannot slice(${start}, ${end}),`;
  if (start < 0n || end < 0n) return fail(`${what} negative indexes not supported`);
  if (start > end) return fail(`${what} start index must be less than or equal to end index`);
  if (end > list.size) return fail(`${what} list is length ${list.size}`);
  return new Items(listElements(list).slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth: bigint, meter: Meter, flat: CelValue[] = []): readonly CelValue[] {
  if (depth < 0n) return fail("level must be non-negative");
  for (let index = 0; index < list.size; index++) {
    const each = list.at(index);
    meter.step();
    if (each instanceof ListValue && depth > 0n) flatten(each, depth - 1n, meter, flat);
    else meter.admit(flat.push(each));
  }
  return flat;
}

function sortBy(list: ListValue, keys: ListValue, meter: Meter): ListValue {
  const [items, ranks] = [listElements(list), chargeOrder(keys, meter, Math.ceil(Math.log2(keys.size + 2)))];
  if (items.length !== ranks.length)
    return fail(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${items.length} and ${ranks.length} elements respectively`,
    );
  const [first] = ranks;
  if (first === undefined) return list;
  if (celCompare(first, first) === undefined) return fail("list elements must be comparable");
  if (ranks.some((each) => typeNameOf(each) !== typeNameOf(first))) return fail("list elements must have the same type");
  const sorted = ranks.map((key, index) => ({ key, item: items[index] ?? null })).toSorted((a, b) => order(a.key, b.key));
  return new Items(sorted.map(({ item }) => item));
}

function distinct(list: ListValue, meter: Meter): ListValue {
  const kept: CelValue[] = [];
  for (const each of listElements(list)) {
    if (!kept.some((other) => celEqual(each, other, meter))) kept.push(each);
  }
  return new Items(kept);
}

function range(size: bigint, meter: Meter): ListValue {
  const length = size < 0n ? 0 : Number(size);
  meter.admit(length);
  return new Items(Array.from({ length }, (_, index) => BigInt(index)));
}

const result: Cost = (_args, list) => 11 + sizeOf(list);
const flattened: Cost = ([list]) => 11 + sizeOf(list);
const squared: Cost = ([list]) => 11 + 2 * sizeOf(list) ** 2;

/** The list functions of cel-go. */
const laterLists: readonly FunctionDeclaration[] = [
  declare("slice", member("list_slice", [any, takes.int, takes.int], listType(A), slice, result)),
  declare(
    "flatten",
    member("list_flatten", [takes.list(listType(A))], listType(A), (list, meter) => new Items(flatten(list, 1n, meter)), flattened),
    member(
      "list_flatten_int",
      [takes.list(dynType), takes.int],
      listType(dynType),
      (list, depth, meter) => new Items(flatten(list, depth, meter)),
      flattened,
    ),
  ),
  declare(
    "sort",
    ...ordered(
      (name) => `list_${name}_sort`,
      (type) => listType(type),
      (list, meter) => sortBy(list, list, meter),
      squared,
    ),
  ),
  declare(
    "@sortByAssociatedKeys",
    ...comparable.map(([name, type]) => member(`list_${name}_sortByAssociatedKeys`, [any, takes.list(type)], listType(A), sortBy, squared)),
  ),
  declare("lists.range", global("lists_range", [takes.int], listType(intType), range, result)),
  declare(
    "reverse",
    member("list_reverse", [any], listType(A), (list, meter) => new Items(chargeOrder(list, meter).toReversed()), result),
  ),
  declare("distinct", member("list_distinct", [any], listType(A), distinct, squared)),
];

export const lists: readonly FunctionDeclaration[] = [...kubernetesLists, ...laterLists];

function containsAll(list: ListValue, part: ListValue, meter: Meter): boolean {
  const all = listElements(list);
  return listElements(part).every((sought) => all.some((each) => celEqual(each, sought, meter)));
}

function product(factor: number): Cost {
  return ([left, right]) => 1 + Math.ceil(sizeOf(left) * sizeOf(right) * factor);
}

/** The set functions of cel-go, on lists. */
export const sets: readonly FunctionDeclaration[] = [
  declare("sets.contains", global("list_sets_contains_list", [any, any], boolType, containsAll, product(1))),
  declare(
    "sets.equivalent",
    global(
      "list_sets_equivalent_list",
      [any, any],
      boolType,
      (left, right, meter) => containsAll(left, right, meter) && containsAll(right, left, meter),
      product(2),
    ),
  ),
  declare(
    "sets.intersects",
    global(
      "list_sets_intersects_list",
      [any, any],
      boolType,
      (left, right, meter) => {
        const others = listElements(right);
        return listElements(left).some((each) => others.some((other) => celEqual(each, other, meter)));
      },
      product(1),
    ),
  ),
];
