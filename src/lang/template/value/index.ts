export { GoError } from "./error.ts";
export { goFunction, goMethod, executionFunction } from "./declare.ts";
export { GoFunction, type FunctionTable } from "./function.ts";
export { deepEqual } from "./equal.ts";
export { indirect, isTrue, reflectKindOf, typeName, reflectTypeOf, zeroOf } from "./inspect.ts";
export { GoList, anyList, nilList, stringList } from "./list.ts";
export { GoMap, dict } from "./map.ts";
export { Complex, Integer, GoScalar, int, int64, isInteger, isUnsigned, widthOf, wrapInteger } from "./number.ts";
export { GoStruct, Pointer } from "./object.ts";
export { fromPlain, toPlain } from "./plain.ts";
export { GoSequence } from "./sequence.ts";
export { byteAt, byteLength, compareGoStrings, fromBytes, hasRawByte, isAscii, sliceBytes, toBytes } from "./text.ts";
export { arrayOf, functionOf, reflectType, mapOf, sliceOf, types, type TypeScope } from "./parse-type.ts";
export {
  ReflectType,
  canBeNil,
  interfaceType,
  isAssignable,
  isNamed,
  namedType,
  structType,
  type StructField,
  type ReflectKind,
  type Methods,
} from "./reflect-type.ts";
export type { GoValue } from "./value.ts";
