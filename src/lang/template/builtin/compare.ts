import {
  Complex,
  GoError,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  Scalar,
  compareText,
  kindOf,
  isUnsigned,
  typeName,
  typeOf,
  type GoType,
  type Value,
} from "../value/index.ts";
import { Printer } from "../print/printer.ts";

type BasicKind = "bool" | "complex" | "int" | "float" | "string" | "uint";

function basicKind(value: Value): BasicKind | undefined {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    default:
      if (value instanceof Integer) return isUnsigned(value.type) ? "uint" : "int";
      if (value instanceof Scalar) return basicKind(value.value);
      return value instanceof Complex ? "complex" : undefined;
  }
}

/** `eq`: is the first equal to any of the others? */
export function equal(first: Value, ...others: Value[]): boolean {
  if (others.length === 0) throw new GoError("missing argument for comparison");
  for (const other of others) if (isEqual(first, other)) return true;
  return false;
}

/** `ne`. */
export function notEqual(one: Value, other: Value): boolean {
  return !isEqual(one, other);
}

function isEqual(one: Value, other: Value): boolean {
  if (typeof one === "string" && typeof other === "string") return one === other;
  const kind = basicKind(one);
  const otherKind = basicKind(other);
  if (kind === undefined && otherKind === undefined) return isSame(one, other);
  if (one instanceof Integer && other instanceof Integer) return one.value === other.value;
  if (kind !== otherKind) {
    if (isNothing(one) || isNothing(other)) return false;
    throw incompatible(one, other);
  }
  if (one instanceof Complex && other instanceof Complex) return one.real === other.real && one.imaginary === other.imaginary;
  return plainOf(one) === plainOf(other);
}

function plainOf(value: Value): Value {
  return value instanceof Scalar ? value.value : value;
}

function isNothing(value: Value): boolean {
  return value === null || value === undefined;
}

function incompatible(one: Value, other: Value): GoError {
  return new GoError(`incompatible types for comparison: ${typeName(one)} and ${typeName(other)}`);
}

/** Equality of values that are no numbers, strings or bools. */
function isSame(one: Value, other: Value): boolean {
  const printer = new Printer();
  if (kindOf(one) !== kindOf(other) && !isNothing(one) && !isNothing(other)) {
    const shown = printer.argument(one, "s");
    throw new GoError(`non-comparable types ${shown}: ${typeName(one)}, ${typeName(other)}: ${printer.argument(other, "v")}`);
  }
  if (isNil(one) || isNil(other)) return isNil(one) === isNil(other);
  const type = typeOf(other);
  if (type !== undefined && !isComparable(type)) {
    throw new GoError(`non-comparable type ${printer.argument(other, "s")}: ${type.name}`);
  }
  return isIdentical(one, other);
}

function isNil(value: Value): boolean {
  if (isNothing(value)) return true;
  return (value instanceof GoMap || value instanceof GoList || value instanceof Pointer) && value.isNil;
}

function isComparable(type: GoType): boolean {
  if (type.kind === "array") return type.elem === undefined || isComparable(type.elem);
  if (type.kind === "struct") return (type.fields ?? []).every((field) => isComparable(field.type));
  return type.kind !== "slice" && type.kind !== "map" && type.kind !== "func";
}

function isIdentical(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (typeOf(one) !== typeOf(other)) return false;
  if (one instanceof Pointer && other instanceof Pointer) return one.target === other.target && typeof one.target === "object";
  if (one instanceof GoStruct && other instanceof GoStruct) {
    return one.own === other.own && (one.type.fields ?? []).every(({ name }) => isEqual(one.field(name), other.field(name)));
  }
  if (one instanceof GoList && other instanceof GoList) return one.items.every((item, index) => isEqual(item, other.items[index]));
  return false;
}

/** `lt`. */
export function less(one: Value, other: Value): boolean {
  const kind = basicKind(one);
  const otherKind = basicKind(other);
  if (kind === undefined || otherKind === undefined) throw new GoError("invalid type for comparison");
  if (one instanceof Integer && other instanceof Integer) return one.value < other.value;
  if (kind !== otherKind) throw incompatible(one, other);
  const left = plainOf(one);
  const right = plainOf(other);
  if (typeof left === "string" && typeof right === "string") return compareText(left, right) < 0;
  if (typeof left === "number" && typeof right === "number") return left < right;
  throw new GoError("invalid type for comparison");
}

/** `le`. */
export function lessOrEqual(one: Value, other: Value): boolean {
  return less(one, other) || isEqual(one, other);
}

/** `gt`. */
export function greater(one: Value, other: Value): boolean {
  return !lessOrEqual(one, other);
}

/** `ge`. */
export function greaterOrEqual(one: Value, other: Value): boolean {
  return !less(one, other);
}
