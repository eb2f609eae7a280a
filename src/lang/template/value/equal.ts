import { reflectTypeOf } from "./inspect.ts";
import { GoList } from "./list.ts";
import { GoMap } from "./map.ts";
import { Complex, Integer, GoScalar } from "./number.ts";
import { GoStruct, Pointer } from "./object.ts";
import type { GoValue } from "./value.ts";

/** Models reflect.DeepEqual: a nil list differs from an empty one, and 1 from 1.0. */
export function deepEqual(one: GoValue, other: GoValue): boolean {
  if (typeof one !== "object" || typeof other !== "object") return one === other || bothNil(one, other);
  if (one === null || other === null) return bothNil(one, other);
  if (reflectTypeOf(one) !== reflectTypeOf(other)) return false;
  if (one instanceof GoMap && other instanceof GoMap) return sameMaps(one, other);
  if (one instanceof GoList && other instanceof GoList) return one.isNil === other.isNil && sameItems(one.items, other.items);
  if (one instanceof Uint8Array && other instanceof Uint8Array) return sameItems([...one], [...other]);
  if (one instanceof Integer && other instanceof Integer) return one.value === other.value;
  if (one instanceof GoScalar && other instanceof GoScalar) return one.value === other.value;
  if (one instanceof Complex && other instanceof Complex) return one.real === other.real && one.imaginary === other.imaginary;
  if (one instanceof Pointer && other instanceof Pointer) return one.isNil === other.isNil && deepEqual(one.target, other.target);
  if (one instanceof GoStruct && other instanceof GoStruct) return one === other || sameStructs(one, other);
  return false;
}

function bothNil(one: GoValue, other: GoValue): boolean {
  return (one === null || one === undefined) && (other === null || other === undefined);
}

function sameMaps(one: GoMap, other: GoMap): boolean {
  if (one === other) return true;
  if (one.size !== other.size || one.isNil !== other.isNil) return false;
  for (const [key, element] of one) if (!other.has(key) || !deepEqual(element, other.get(key))) return false;
  return true;
}

function sameItems(one: readonly GoValue[], other: readonly GoValue[]): boolean {
  return one === other || (one.length === other.length && one.every((item, index) => deepEqual(item, other[index])));
}

function sameStructs(one: GoStruct, other: GoStruct): boolean {
  if (one.own !== other.own) return false;
  return (one.type.fields ?? []).every(({ name }) => deepEqual(one.field(name), other.field(name)));
}
