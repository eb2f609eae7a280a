import { GoFunction, GoList, GoMap, Pointer, GoSequence, type GoValue } from "../value/index.ts";

const addresses = new WeakMap<object, number>();
let given = 0xc000000000;

/** The pseudo address of a value: 0 for nil, undefined for a value without an address. */
export function pointerAddress(value: GoValue): number | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Pointer) return value.isNil ? 0 : addressOfObject(objectBehind(value));
  if (value instanceof GoMap || value instanceof GoList) return value.isNil ? 0 : addressOfObject(value);
  if (value instanceof GoFunction || value instanceof GoSequence || value instanceof Uint8Array) return addressOfObject(value);
  return undefined;
}

function objectBehind(pointer: Pointer): object {
  return typeof pointer.target === "object" && pointer.target !== null ? pointer.target : pointer;
}

function addressOfObject(object: object): number {
  const known = addresses.get(object);
  if (known !== undefined) return known;
  given += 16;
  addresses.set(object, given);
  return given;
}
