import {
  GoError,
  GoList,
  GoMap,
  Integer,
  Pointer,
  GoScalar,
  GoSequence,
  byteAt,
  byteLength,
  canBeNil,
  reflectType,
  indirect,
  int,
  isAssignable,
  isInteger,
  sliceBytes,
  sliceOf,
  typeName,
  reflectTypeOf,
  types,
  wrapInteger,
  zeroOf,
  type ReflectType,
  type GoValue,
} from "../value/index.ts";

const byte = reflectType("uint8");

/** `index`: steps into a list, map or string once per index. */
export function index(item: GoValue, ...indexes: GoValue[]): GoValue {
  if (item === null || item === undefined) throw new GoError("index of untyped nil");
  let reached: GoValue = item;
  for (const step of indexes) reached = indexOnce(reached, step);
  return reached;
}

function indexOnce(item: GoValue, step: GoValue): GoValue {
  const inside = throughPointers(item, "index");
  if (inside instanceof GoMap) return mapElement(inside, step);
  if (inside instanceof GoList) return inside.items[position(step, inside.length, inside.type.kind)];
  if (inside instanceof Uint8Array) return new Integer(byte, inside[position(step, inside.length, "slice")] ?? 0);
  const text = textOf(inside);
  if (text !== undefined) return new Integer(byte, byteAt(text, position(step, byteLength(text), "string")));
  throw new GoError(`can't index item of type ${typeName(inside)}`);
}

function throughPointers(item: GoValue, doing: string): GoValue {
  const inside = indirect(item);
  if (inside === null || (inside instanceof Pointer && inside.isNil)) throw new GoError(`${doing} of nil pointer`);
  return inside;
}

function textOf(value: GoValue): string | undefined {
  if (typeof value === "string") return value;
  return value instanceof GoScalar && typeof value.value === "string" ? value.value : undefined;
}

function mapElement(map: GoMap, step: GoValue): GoValue {
  const element = map.at(preparedFor(map.type.key ?? types.string, step));
  return element === undefined ? zeroOf(map.type.elem ?? types.any) : element;
}

/** Converts a value to an argument or key of the type. Integers are converted; any other value must be assignable. */
export function preparedFor(type: ReflectType, value: GoValue): GoValue {
  const own = reflectTypeOf(value);
  if (own === undefined) {
    if (!canBeNil(type)) throw new GoError(`value is nil; should be of type ${type.name}`);
    return zeroOf(type);
  }
  if (isAssignable(own, type)) return value;
  if (value instanceof Integer && isInteger(type)) return wrapInteger(type, value.value);
  throw new GoError(`value has type ${own.name}; should be ${type.name}`);
}

function position(step: GoValue, length: number, kind: string): number {
  const at = checkedPosition(step, length);
  if (at === length) throw new GoError(`reflect: ${kind} index out of range`);
  return at;
}

function checkedPosition(step: GoValue, limit: number): number {
  if (step instanceof Integer) {
    if (step.value < 0 || step.value > limit) throw new GoError(`index out of range: ${BigInt.asIntN(64, step.big)}`);
    return Number(step.value);
  }
  if (step === null || step === undefined) throw new GoError("cannot index slice/array with nil");
  throw new GoError(`cannot index slice/array with type ${typeName(step)}`);
}

/** Unlike `index`, `slice` does not unwrap interfaces. */
function slicePosition(step: GoValue, limit: number): number {
  if (step === null) throw new GoError("cannot index slice/array with type interface {}");
  return checkedPosition(step, limit);
}

/** `slice`: `x[i:j:k]` of a string, slice or array. */
export function slice(item: GoValue, ...indexes: GoValue[]): GoValue {
  if (item === null || item === undefined) throw new GoError("slice of untyped nil");
  const inside = throughPointers(item, "slice");
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  const text = textOf(inside);
  if (text !== undefined) {
    if (indexes.length === 3) throw new GoError("cannot 3-index slice a string");
    const [from, to] = bounds(indexes, byteLength(text), byteLength(text));
    return sliceBytes(text, from, to);
  }
  if (inside instanceof Uint8Array) return inside.subarray(...bounds(indexes, inside.length, inside.length));
  if (inside instanceof GoList) return sliceList(inside, indexes);
  throw new GoError(`can't slice item of type ${typeName(inside)}`);
}

function sliceList(list: GoList, indexes: readonly GoValue[]): GoList {
  const memory = [...list.items, ...list.spare];
  const [from, to] = bounds(indexes, list.length, memory.length);
  const type = list.type.kind === "array" ? sliceOf(list.type.elem ?? types.any) : list.type;
  const end = indexes.length === 3 ? checkedPosition(indexes[2], memory.length) : memory.length;
  return new GoList(type, memory.slice(from, to), { spare: memory.slice(to, end) });
}

function bounds(indexes: readonly GoValue[], length: number, capacity: number): [from: number, to: number] {
  const [from = 0, to = length, end = capacity] = indexes.map((step) => slicePosition(step, capacity));
  if (from > to) throw new GoError(`invalid slice index: ${from} > ${to}`);
  if (to > end) throw new GoError(`invalid slice index: ${to} > ${end}`);
  return [from, to];
}

/** `len`. */
export function length(item: GoValue): Integer {
  if (item === undefined) throw new GoError("reflect: call of reflect.Value.Type on zero Value");
  const inside = throughPointers(item, "len");
  if (inside instanceof GoMap) return int(inside.size);
  if (inside instanceof GoList || inside instanceof Uint8Array) return int(inside.length);
  if (inside instanceof GoSequence && inside.type.kind === "chan") return int(0);
  const text = textOf(inside);
  if (text !== undefined) return int(byteLength(text));
  throw new GoError(`len of type ${typeName(inside)}`);
}
