export { anyObject, list, map, object, type FieldsOf, type Rule } from "./compound.ts";
export { bytes, integer, integerOrText, manyBytes, name, oneOf, partlyBuilt, saying, text, time, truth } from "./scalar.ts";
export {
  assumed,
  defaulted,
  mismatch,
  optional,
  refused,
  type Field,
  type Findings,
  type Presence,
  type Schema,
  type Shape,
  type ValueOf,
} from "./shape.ts";
