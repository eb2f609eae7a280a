import type { CelEnv } from "./checker.ts";
import { mergeDeclarations, type Declarations } from "./declaration.ts";
import { authorization } from "./library/authz.ts";
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
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
  type CelType,
} from "./type.ts";

const types: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ["bool", typeType(boolType)],
  ["bytes", typeType(bytesType)],
  ["double", typeType(doubleType)],
  ["int", typeType(intType)],
  ["uint", typeType(uintType)],
  ["string", typeType(stringType)],
  ["null_type", typeType(nullType)],
  ["list", typeType(listType(dynType))],
  ["map", typeType(mapType(dynType, dynType))],
  ["type", typeType(typeType(undefined))],
  ["optional_type", typeType(optionalType(dynType))],
  ["google.protobuf.Timestamp", typeType(timestampType)],
  ["google.protobuf.Duration", typeType(durationType)],
  ["net.IP", typeType(opaqueType("net.IP"))],
  ["net.CIDR", typeType(opaqueType("net.CIDR"))],
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
  authorization,
);
const everything: Declarations = mergeDeclarations([...kubernetes.values()], math, laterTexts);

/** The environment of an expression. `extensions` adds the parts of CEL that Kubernetes leaves out. */
export function celEnvFor(variables: ReadonlyMap<string, CelType>, extensions: boolean): CelEnv {
  return { variables, types, functions: extensions ? everything : kubernetes };
}
