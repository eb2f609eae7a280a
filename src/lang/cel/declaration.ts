import type { Meter } from "./meter.ts";
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
import {
  CelDuration,
  ListValue,
  MapValue,
  Optional,
  CelTimestamp,
  typeNameOf,
  TypeValue,
  Uint,
  type Opaque,
  type CelValue,
} from "./value.ts";

/** One signature of a function, with its implementation. */
export type Overload = {
  readonly id: string;
  readonly isMember: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly generics: readonly string[];
  /** Type checks of the arguments at run time. */
  readonly guards: readonly ((value: CelValue) => boolean)[];
  readonly call: (...args: readonly (CelValue | Meter)[]) => CelValue;
  /** The cost of a call. Default: 1. */
  readonly cost: Cost | undefined;
};

export type Cost = (args: readonly CelValue[], result: CelValue) => number;

export type FunctionDeclaration = {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The message for arguments that no overload takes. */
  readonly mismatch: (args: readonly CelValue[]) => string;
  /** One implementation for all overloads. It checks its arguments itself. */
  readonly direct?: Overload["call"];
};

/**
 * Whether a value has a type, as far as cel-go checks at run time: the first element stands for a whole list. Types of libraries
 * are checked by the libraries.
 */
function isOfType(value: CelValue, type: CelType): boolean {
  const name = runtimeNames[type.kind];
  return name === undefined || typeNameOf(value) === name;
}

const runtimeNames: Readonly<Partial<Record<CelType["kind"], string>>> = {
  bool: "bool",
  int: "int",
  uint: "uint",
  double: "double",
  string: "string",
  bytes: "bytes",
  list: "list",
  map: "map",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
};

/** A parameter: its type for the checker and a type guard for the evaluation. */
export type Parameter<T extends CelValue> = { readonly type: CelType; readonly is: (value: CelValue) => value is T };

function parameter<T extends CelValue>(type: CelType, is: (value: CelValue) => value is T): Parameter<T> {
  return { type, is };
}

function isValue(_value: CelValue): _value is CelValue {
  return true;
}

export const takes = {
  bool: parameter(boolType, (value) => typeof value === "boolean"),
  int: parameter(intType, (value) => typeof value === "bigint"),
  uint: parameter(uintType, (value) => value instanceof Uint),
  double: parameter(doubleType, (value) => typeof value === "number"),
  string: parameter(stringType, (value) => typeof value === "string"),
  bytes: parameter(bytesType, (value) => value instanceof Uint8Array),
  null: parameter(nullType, (value) => value === null),
  timestamp: parameter(timestampType, (value) => value instanceof CelTimestamp),
  duration: parameter(durationType, (value) => value instanceof CelDuration),
  type: parameter(typeType(undefined), (value) => value instanceof TypeValue),
  dyn: parameter(dynType, isValue),
  list: (element: CelType): Parameter<ListValue> =>
    parameter(
      listType(element),
      (value): value is ListValue => value instanceof ListValue && (value.size === 0 || isOfType(value.at(0), element)),
    ),
  map: (key: CelType, value: CelType): Parameter<MapValue> => parameter(mapType(key, value), (each) => each instanceof MapValue),
  optional: (held: CelType): Parameter<Optional> => parameter(optionalType(held), (value) => value instanceof Optional),
  any: (type: CelType): Parameter<CelValue> => parameter(type, isValue),
  opaque: <T extends Opaque>(name: string, is: (value: CelValue) => value is T): Parameter<T> => parameter(opaqueType(name), is),
};

type Taken<P extends readonly Parameter<CelValue>[]> = { [I in keyof P]: P[I] extends Parameter<infer T> ? T : never };
type Signature<P extends readonly Parameter<CelValue>[]> = readonly [id: string, parameters: P, result: CelType];

function overload<const P extends readonly Parameter<CelValue>[]>(
  isMember: boolean,
  [id, parameters, result]: Signature<P>,
  call: (...args: [...Taken<P>, Meter]) => CelValue,
  cost: Cost | undefined,
): Overload {
  const types = parameters.map(({ type }) => type);
  return {
    id,
    isMember,
    parameters: types,
    result,
    generics: [...new Set([...types, result].flatMap(parametersIn))],
    guards: parameters.map(({ is }) => is),
    // The guards run before every call, so the arguments have the declared types.
    call: call as Overload["call"],
    cost,
  };
}

/** A global overload, called as `f(a, b)`. */
export function global<const P extends readonly Parameter<CelValue>[]>(
  id: string,
  parameters: P,
  result: CelType,
  call: (...args: [...Taken<P>, Meter]) => CelValue,
  cost?: Cost,
): Overload {
  return overload(false, [id, parameters, result], call, cost);
}

/** A member overload, called as `a.f(b)`. */
export function member<const P extends readonly Parameter<CelValue>[]>(
  id: string,
  parameters: P,
  result: CelType,
  call: (...args: [...Taken<P>, Meter]) => CelValue,
  cost?: Cost,
): Overload {
  return overload(true, [id, parameters, result], call, cost);
}

export function declare(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  const mismatch = (args: readonly CelValue[]): string => `no such overload: ${name}(${args.map(typeNameOf).join(", ")})`;
  return { name, overloads, mismatch };
}

/** Declares a function with one implementation for all overloads. The implementation rejects wrong arguments itself. */
export function declareDirect(name: string, direct: Overload["call"], ...overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads, mismatch: () => `no such overload: ${name}`, direct };
}

export type Declarations = ReadonlyMap<string, FunctionDeclaration>;

/** Merges libraries. Functions with the same name get the overloads of all of them. */
export function mergeDeclarations(...libraries: readonly (readonly FunctionDeclaration[])[]): Declarations {
  const merged = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flat()) {
    const known = merged.get(declaration.name);
    const overloads = [...(known?.overloads ?? []), ...declaration.overloads];
    merged.set(declaration.name, { ...(known ?? declaration), overloads });
  }
  return merged;
}

function parametersIn(type: CelType): readonly string[] {
  switch (type.kind) {
    case "parameter":
      return [type.name];
    case "list":
      return parametersIn(type.element);
    case "map":
      return [...parametersIn(type.key), ...parametersIn(type.value)];
    case "type":
      return type.of === undefined ? [] : parametersIn(type.of);
    case "opaque":
      return type.parameters.flatMap(parametersIn);
    default:
      return [];
  }
}
