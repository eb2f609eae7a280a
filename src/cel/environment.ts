import type { Names } from "./checker.ts";
import { merge, type Declarations } from "./declaration.ts";
import { collections } from "./library/collection.ts";
import { operators } from "./library/operator.ts";
import { optionals } from "./library/optional.ts";
import { standard } from "./library/standard.ts";
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  nullType,
  opaque,
  optionalOf,
  string,
  timestamp,
  typeOf,
  uint,
  type CelType,
} from "./type.ts";

const types: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ["bool", typeOf(bool)],
  ["bytes", typeOf(bytes)],
  ["double", typeOf(double)],
  ["int", typeOf(int)],
  ["uint", typeOf(uint)],
  ["string", typeOf(string)],
  ["null_type", typeOf(nullType)],
  ["list", typeOf(listOf(dyn))],
  ["map", typeOf(mapOf(dyn, dyn))],
  ["type", typeOf(typeOf(undefined))],
  ["optional_type", typeOf(optionalOf(dyn))],
  ["google.protobuf.Timestamp", typeOf(timestamp)],
  ["google.protobuf.Duration", typeOf(duration)],
  ["net.IP", typeOf(opaque("net.IP"))],
  ["net.CIDR", typeOf(opaque("net.CIDR"))],
]);

const kubernetes: Declarations = merge(operators, standard, collections, optionals);
const everything: Declarations = kubernetes;

/** What expressions may speak of. `extensions` adds what CEL has and Kubernetes leaves out. */
export function namesFor(variables: ReadonlyMap<string, CelType>, extensions: boolean): Names {
  return { variables, types, functions: extensions ? everything : kubernetes };
}
