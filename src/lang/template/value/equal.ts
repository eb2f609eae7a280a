import { charge } from "../../../core/cost/index.ts";
import { reflectTypeOf } from "./inspect.ts";
import { GoList } from "./list.ts";
import { GoMap } from "./map.ts";
import { Complex, Integer, GoScalar } from "./number.ts";
import { GoStruct, Pointer } from "./object.ts";
import type { GoValue } from "./value.ts";

/** A comparison, as it takes time. */
const costOfPair = 32;

type Pair = readonly [GoValue, GoValue];

/** Only after so many pairs is looked for those that were compared before: values may contain themselves. */
const maxUnchecked = 1000;

/** Models reflect.DeepEqual: a nil list differs from an empty one, and 1 from 1.0. Values may be nested deeper than the stack allows. */
export function deepEqual(one: GoValue, other: GoValue): boolean {
  if (isScalar(one) || isScalar(other)) {
    charge(costOfPair);
    return isAlike([one, other], []);
  }
  const pending: Pair[] = [[one, other]];
  const compared = new Map<GoValue, Set<GoValue>>();
  let count = 0;
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    charge(costOfPair);
    if (++count > maxUnchecked && wasCompared(pair, compared)) continue;
    if (!isAlike(pair, pending)) return false;
  }
  return true;
}

function isScalar(value: GoValue): boolean {
  return typeof value !== "object" || value === null || value instanceof Integer;
}

/** Whether two collections were compared before; from now on they were. */
function wasCompared([one, other]: Pair, compared: Map<GoValue, Set<GoValue>>): boolean {
  if (!(one instanceof GoMap || one instanceof GoList || one instanceof Pointer)) return false;
  const others = compared.get(one) ?? new Set();
  if (others.has(other)) return true;
  compared.set(one, others.add(other));
  return false;
}

/** Whether two values are equal but for what they contain, which is pending. */
function isAlike([one, other]: Pair, pending: Pair[]): boolean {
  if (typeof one === "string" && typeof other === "string") return areAlikeTexts(one, other);
  if (typeof one !== "object" || typeof other !== "object") return one === other || bothNil(one, other);
  if (one === null || other === null) return bothNil(one, other);
  if (reflectTypeOf(one) !== reflectTypeOf(other)) return false;
  if (one instanceof GoMap && other instanceof GoMap) return areAlikeMaps(one, other, pending);
  if (one instanceof GoList && other instanceof GoList) return one.isNil === other.isNil && areAlikeItems(one.items, other.items, pending);
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  if (one instanceof Integer && other instanceof Integer) return one.value === other.value;
  if (one instanceof GoScalar && other instanceof GoScalar) return one.value === other.value;
  if (one instanceof Complex && other instanceof Complex) return one.real === other.real && one.imaginary === other.imaginary;
  if (one instanceof Pointer && other instanceof Pointer) {
    pending.push([one.target, other.target]);
    return one.isNil === other.isNil;
  }
  return one instanceof GoStruct && other instanceof GoStruct && (one === other || areAlikeStructs(one, other, pending));
}

/** Texts that differ in length are not looked at. */
function areAlikeTexts(one: string, other: string): boolean {
  if (one.length === other.length) charge(one.length >> 3);
  return one === other;
}

function bothNil(one: GoValue, other: GoValue): boolean {
  return (one === null || one === undefined) && (other === null || other === undefined);
}

function areAlikeMaps(one: GoMap, other: GoMap, pending: Pair[]): boolean {
  if (one === other) return true;
  if (one.size !== other.size || one.isNil !== other.isNil) return false;
  for (const [key, element] of one) if (!other.has(key) || !mayBeAlike(element, other.get(key), pending)) return false;
  return true;
}

function areAlikeItems(one: readonly GoValue[], other: readonly GoValue[], pending: Pair[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  return one.every((item, index) => mayBeAlike(item, other[index], pending));
}

function areAlikeStructs(one: GoStruct, other: GoStruct, pending: Pair[]): boolean {
  if (one.own !== other.own) return false;
  return (one.type.fields ?? []).every(({ name }) => mayBeAlike(one.field(name), other.field(name), pending));
}

/** Compares texts and the like at once, and leaves the rest for later. */
function mayBeAlike(one: GoValue, other: GoValue, pending: Pair[]): boolean {
  if (typeof one !== "object" || typeof other !== "object") return isAlike([one, other], pending);
  pending.push([one, other]);
  return true;
}
