import { GoList } from "./list.ts";
import { GoMap } from "./map.ts";
import { Complex, Integer, GoScalar, isInteger } from "./number.ts";
import { GoStruct, Pointer } from "./object.ts";
import { GoSequence } from "./sequence.ts";
import { types } from "./parse-type.ts";
import type { ReflectType, ReflectKind } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

/** The Go type of a value; undefined for nil and the invalid value. */
export function reflectTypeOf(value: GoValue): ReflectType | undefined {
  switch (typeof value) {
    case "string":
      return types.string;
    case "number":
      return types.float64;
    case "boolean":
      return types.bool;
    case "undefined":
      return undefined;
    default:
      if (value === null) return undefined;
      return value instanceof Uint8Array ? types.bytes : value.type;
  }
}

/** The name that `%T` prints: `map[string]interface {}`, `<nil>`. */
export function typeName(value: GoValue): string {
  return reflectTypeOf(value)?.name ?? "<nil>";
}

/** The name that reflect.Kind prints: `map`, `slice`, `ptr`, `invalid`. */
export function reflectKindOf(value: GoValue): ReflectKind {
  return reflectTypeOf(value)?.kind ?? "invalid";
}

/** Whether a value is true in a condition: not nil, zero or empty. */
export function isTrue(value: GoValue): boolean {
  if (typeof value !== "object") return Boolean(value) || Number.isNaN(value);
  if (value === null) return false;
  if (value instanceof GoMap) return value.size > 0;
  if (value instanceof GoList || value instanceof Uint8Array) return value.length > 0;
  if (value instanceof Integer) return value.value !== 0;
  if (value instanceof Pointer) return !value.isNil;
  if (value instanceof GoScalar) return Boolean(value.value);
  if (value instanceof Complex) return value.real !== 0 || value.imaginary !== 0;
  return true;
}

/** The zero value of a type. */
export function zeroOf(type: ReflectType): GoValue {
  if (isInteger(type)) return new Integer(type, 0);
  switch (type.kind) {
    case "string":
      return type === types.string ? "" : new GoScalar(type, "");
    case "bool":
      return type === types.bool ? false : new GoScalar(type, false);
    case "float32":
    case "float64":
      return type === types.float64 ? 0 : new GoScalar(type, 0);
    case "complex64":
    case "complex128":
      return new Complex(0, 0, type);
    case "map":
      return new GoMap(type, [], { isNil: true });
    case "slice":
      return new GoList(type, [], { isNil: true });
    case "array":
      return new GoList(
        type,
        Array.from({ length: type.length ?? 0 }, () => (type.elem === undefined ? null : zeroOf(type.elem))),
      );
    case "ptr":
    case "unsafe.Pointer":
      return new Pointer(type);
    case "struct":
      return new GoStruct(type, Object.fromEntries((type.fields ?? []).map((field) => [field.name, zeroOf(field.type)])));
    case "chan":
      return new GoSequence(type, []);
    default:
      return null;
  }
}

/** Dereferences pointers. A nil pointer stays. */
export function indirect(value: GoValue): GoValue {
  let reached = value;
  while (reached instanceof Pointer && !reached.isNil) reached = reached.target;
  return reached;
}
