export { GoError } from "./error.ts";
export { goFunction, goMethod, runFunction } from "./declare.ts";
export { GoFunction, type FunctionTable } from "./function.ts";
export { deepEqual } from "./equal.ts";
export { indirect, isTrue, kindOf, typeName, typeOf, zeroOf } from "./inspect.ts";
export { GoList, list, nilList, stringList } from "./list.ts";
export { GoMap, dict } from "./map.ts";
export { Complex, Integer, Scalar, int, int64, isInteger, isUnsigned, widthOf, wrapped } from "./number.ts";
export { GoStruct, Pointer } from "./object.ts";
export { fromPlain, toPlain } from "./plain.ts";
export { Sequence } from "./sequence.ts";
export { byteAt, byteLength, compareText, fromBytes, hasRawByte, isAscii, sliceBytes, toBytes } from "./text.ts";
export { arrayOf, functionOf, goType, mapOf, sliceOf, types, type TypeScope } from "./type-text.ts";
export {
  GoType,
  canBeNil,
  interfaceType,
  isAssignable,
  isNamed,
  namedType,
  structType,
  type Field,
  type Kind,
  type Methods,
} from "./type.ts";
export type { Value } from "./value.ts";
