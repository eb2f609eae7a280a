import { elementAt, optionalElementAt } from "../access.ts";
import { declareDirect, global, takes, type FunctionDeclaration } from "../declaration.ts";
import { celEqual } from "../equal.ts";
import { noSuchOverload } from "../failure.ts";
import { Meter } from "../meter.ts";
import { boolType, listType, mapType, optionalType, typeParameter } from "../type.ts";
import { ListValue, MapValue, type CelValue } from "../value.ts";

const [A, B] = [typeParameter("A"), typeParameter("B")];
const element = takes.any(A);

function isIn(value: CelValue, container: CelValue, meter: Meter): boolean {
  if (container instanceof MapValue) return container.find(value) !== undefined;
  if (!(container instanceof ListValue)) return noSuchOverload();
  for (let index = 0; index < container.size; index++) if (celEqual(container.at(index), value, meter)) return true;
  return false;
}

function values(args: readonly (CelValue | Meter | undefined)[]): readonly [CelValue, CelValue] {
  const [first, second] = args;
  if (first === undefined || second === undefined || first instanceof Meter || second instanceof Meter) return noSuchOverload();
  return [first, second];
}

const list = takes.list(A);
const map = takes.map(A, B);
const maybeList = takes.optional(listType(A));
const maybeMap = takes.optional(mapType(A, B));

/** Indexing and membership. */
export const collections: readonly FunctionDeclaration[] = [
  declareDirect(
    "_[_]",
    (...args) => elementAt(...values(args)),
    global("index_list", [list, takes.int], A, elementAt),
    global("index_map", [map, element], B, elementAt),
    global("optional_list_index_int", [maybeList, takes.int], optionalType(A), elementAt),
    global("optional_map_index_value", [maybeMap, element], optionalType(B), elementAt),
  ),
  declareDirect(
    "_[?_]",
    (...args) => optionalElementAt(...values(args)),
    global("list_optindex_optional_int", [list, takes.int], optionalType(A), optionalElementAt),
    global("optional_list_optindex_optional_int", [maybeList, takes.int], optionalType(A), optionalElementAt),
    global("map_optindex_optional_value", [map, element], optionalType(B), optionalElementAt),
    global("optional_map_optindex_optional_value", [maybeMap, element], optionalType(B), optionalElementAt),
  ),
  declareDirect(
    "@in",
    (...args) => isIn(...values(args), args[2] instanceof Meter ? args[2] : noSuchOverload()),
    global(
      "in_list",
      [element, list],
      boolType,
      (value, container, meter) => isIn(value, container, meter),
      ([, container]) => (container instanceof ListValue ? container.size : 1),
    ),
    global("in_map", [element, map], boolType, (value, container, meter) => isIn(value, container, meter)),
  ),
];
