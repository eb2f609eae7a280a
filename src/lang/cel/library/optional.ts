import { declare, global, member, takes, type FunctionDeclaration } from "../declaration.ts";
import { fail } from "../failure.ts";
import { boolType, listType, optionalType, typeParameter } from "../type.ts";
import { Items, ListValue, MapValue, Optional, CelTimestamp, CelDuration, Uint, type CelValue } from "../value.ts";

const A = typeParameter("A");
const maybe = takes.optional(A);

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === "" || value === 0n || value === 0) return true;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  // Go's zero time is January 1 of the year 1.
  if (value instanceof CelTimestamp) return value.nanos === -62_135_596_800_000_000_000n;
  return value instanceof Uint8Array && value.length === 0;
}

/** The functions of optional values. */
export const optionals: readonly FunctionDeclaration[] = [
  declare(
    "optional.of",
    global("optional_of", [takes.any(A)], optionalType(A), (value) => new Optional(value)),
  ),
  declare(
    "optional.ofNonZeroValue",
    global("optional_ofNonZeroValue", [takes.any(A)], optionalType(A), (value) => (isZero(value) ? Optional.none : new Optional(value))),
  ),
  declare(
    "optional.none",
    global("optional_none", [], optionalType(A), () => Optional.none),
  ),
  declare(
    "value",
    member("optional_value", [maybe], A, ({ value }) => (value === undefined ? fail("optional.none() dereference") : value)),
  ),
  declare(
    "hasValue",
    member("optional_hasValue", [maybe], boolType, ({ value }) => value !== undefined),
  ),
  declare(
    "or",
    member("optional_or_optional", [maybe, maybe], optionalType(A), (first, second) => (first.value === undefined ? second : first)),
  ),
  declare(
    "orValue",
    member("optional_orValue_value", [maybe, takes.any(A)], A, ({ value }, otherwise) => (value === undefined ? otherwise : value)),
  ),
  declare("optional.unwrap", global("optional_unwrap", [takes.list(optionalType(A))], listType(A), unwrap)),
  declare("unwrapOpt", member("optional_unwrapOpt", [takes.list(optionalType(A))], listType(A), unwrap)),
];

function unwrap(list: ListValue): Items {
  const held = Array.from({ length: list.size }, (_, index) => list.at(index)).flatMap((each) => {
    if (!(each instanceof Optional)) return fail(`value ${String(each)} is not optional`);
    return each.value === undefined ? [] : [each.value];
  });
  return new Items(held);
}
