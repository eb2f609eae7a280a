import {
  Complex,
  GoError,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  GoScalar,
  compareGoStrings,
  reflectKindOf,
  isUnsigned,
  typeName,
  reflectTypeOf,
  type ReflectType,
  type GoValue,
} from "../value/index.ts";
import { Printer } from "../print/printer.ts";

type BasicKind = "bool" | "complex" | "int" | "float" | "string" | "uint";

function basicKind(value: GoValue): BasicKind | undefined {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    default:
      if (value instanceof Integer) return isUnsigned(value.type) ? "uint" : "int";
      if (value instanceof GoScalar) return basicKind(value.value);
      return value instanceof Complex ? "complex" : undefined;
  }
}

/** `eq`: whether the first value equals any of the others. */
export function eq(first: GoValue, ...others: GoValue[]): boolean {
  if (others.length === 0) throw new GoError("missing argument for comparison");
  for (const other of others) if (isEqual(first, other)) return true;
  return false;
}

/** `ne`. */
export function ne(one: GoValue, other: GoValue): boolean {
  return !isEqual(one, other);
}

function isEqual(one: GoValue, other: GoValue): boolean {
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

function plainOf(value: GoValue): GoValue {
  return value instanceof GoScalar ? value.value : value;
}

function isNothing(value: GoValue): boolean {
  return value === null || value === undefined;
}

function incompatible(one: GoValue, other: GoValue): GoError {
  return new GoError(`incompatible types for comparison: ${typeName(one)} and ${typeName(other)}`);
}

/** Equality of values that are not basic. */
function isSame(one: GoValue, other: GoValue): boolean {
  const printer = new Printer();
  if (reflectKindOf(one) !== reflectKindOf(other) && !isNothing(one) && !isNothing(other)) {
    const shown = printer.argument(one, "s");
    throw new GoError(`non-comparable types ${shown}: ${typeName(one)}, ${typeName(other)}: ${printer.argument(other, "v")}`);
  }
  if (isNil(one) || isNil(other)) return isNil(one) === isNil(other);
  const type = reflectTypeOf(other);
  if (type !== undefined && !isComparable(type)) {
    throw new GoError(`non-comparable type ${printer.argument(other, "s")}: ${type.name}`);
  }
  return isIdentical(one, other);
}

function isNil(value: GoValue): boolean {
  if (isNothing(value)) return true;
  return (value instanceof GoMap || value instanceof GoList || value instanceof Pointer) && value.isNil;
}

function isComparable(type: ReflectType): boolean {
  if (type.kind === "array") return type.elem === undefined || isComparable(type.elem);
  if (type.kind === "struct") return (type.fields ?? []).every((field) => isComparable(field.type));
  return type.kind !== "slice" && type.kind !== "map" && type.kind !== "func";
}

function isIdentical(one: GoValue, other: GoValue): boolean {
  if (one === other) return true;
  if (reflectTypeOf(one) !== reflectTypeOf(other)) return false;
  if (one instanceof Pointer && other instanceof Pointer) return one.target === other.target && typeof one.target === "object";
  if (one instanceof GoStruct && other instanceof GoStruct) {
    return one.own === other.own && (one.type.fields ?? []).every(({ name }) => isEqual(one.field(name), other.field(name)));
  }
  if (one instanceof GoList && other instanceof GoList) return one.items.every((item, index) => isEqual(item, other.items[index]));
  return false;
}

/** `lt`. */
export function lt(one: GoValue, other: GoValue): boolean {
  const kind = basicKind(one);
  const otherKind = basicKind(other);
  if (kind === undefined || otherKind === undefined) throw new GoError("invalid type for comparison");
  if (one instanceof Integer && other instanceof Integer) return one.value < other.value;
  if (kind !== otherKind) throw incompatible(one, other);
  const left = plainOf(one);
  const right = plainOf(other);
  if (typeof left === "string" && typeof right === "string") return compareGoStrings(left, right) < 0;
  if (typeof left === "number" && typeof right === "number") return left < right;
  throw new GoError("invalid type for comparison");
}

/** `le`. */
export function le(one: GoValue, other: GoValue): boolean {
  return lt(one, other) || isEqual(one, other);
}

/** `gt`. */
export function gt(one: GoValue, other: GoValue): boolean {
  return !le(one, other);
}

/** `ge`. */
export function ge(one: GoValue, other: GoValue): boolean {
  return !lt(one, other);
}
