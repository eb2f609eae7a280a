import type { CelEnv } from "./checker.ts";
import { mergeDeclarations, type Declarations } from "./declaration.ts";
import { collections } from "./library/collection.ts";
import { lists, sets } from "./library/list.ts";
import { math } from "./library/math.ts";
import { namedFormats } from "./library/named-format.ts";
import { net } from "./library/net.ts";
import { operators } from "./library/operator.ts";
import { optionals } from "./library/optional.ts";
import { quantities } from "./library/quantity.ts";
import { regex } from "./library/regex.ts";
import { semvers } from "./library/semver.ts";
import { standard } from "./library/standard.ts";
import { laterTexts, texts } from "./library/text.ts";
import { urls } from "./library/url.ts";
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

const kubernetes: Declarations = mergeDeclarations(
  operators,
  standard,
  collections,
  optionals,
  texts,
  lists,
  sets,
  regex,
  urls,
  quantities,
  net,
  semvers,
  namedFormats,
);
const everything: Declarations = mergeDeclarations([...kubernetes.values()], math, laterTexts);

/** What expressions may speak of. `extensions` adds what CEL has and Kubernetes leaves out. */
export function celEnvFor(variables: ReadonlyMap<string, CelType>, extensions: boolean): CelEnv {
  return { variables, types, functions: extensions ? everything : kubernetes };
}
