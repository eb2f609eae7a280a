export { list, map, object, type FieldsOf, type SchemaRule } from "./compound.ts";
export {
  bytes,
  integer,
  integerOrText,
  uncheckedBytes,
  nonEmptyText,
  oneOf,
  partlyBuilt,
  withSchema,
  text,
  time,
  boolShape,
} from "./scalar.ts";
export { assumed, defaulted, mismatch, optional, refused, type ReadIssues, type Schema, type Shape, type ValueOf } from "./shape.ts";
