import type { GoFunction } from "./function.ts";

/** The kinds of Go's reflect package. */
export type ReflectKind =
  | "invalid"
  | "bool"
  | IntegerKind
  | "float32"
  | "float64"
  | "complex64"
  | "complex128"
  | "array"
  | "chan"
  | "func"
  | "interface"
  | "map"
  | "ptr"
  | "slice"
  | "string"
  | "struct"
  | "unsafe.Pointer";

type SignedKind = "int" | "int8" | "int16" | "int32" | "int64";
type UnsignedKind = "uint" | "uint8" | "uint16" | "uint32" | "uint64" | "uintptr";
export type IntegerKind = SignedKind | UnsignedKind;

/** A struct field. Templates cannot read one whose name begins in lower case. */
type StructField = {
  readonly name: string;
  readonly type: ReflectType;
};

/** The parts of a type, depending on its kind. */
type Parts = {
  readonly key?: ReflectType | undefined;
  readonly elem?: ReflectType | undefined;
  readonly length?: number | undefined;
  readonly fields?: readonly StructField[] | undefined;
  readonly parameters?: readonly ReflectType[] | undefined;
  readonly results?: readonly ReflectType[] | undefined;
  readonly variadic?: boolean | undefined;
};

/** Methods by name. Each implementation takes the receiver before the arguments. */
type Methods = Readonly<Record<string, GoFunction>>;

/**
 * A Go type, as in reflect.Type. Types are compared by identity: unnamed types are interned by their text (see `reflectType`),
 * and named ones are created once by their owner with `namedType`.
 */
export class ReflectType {
  /** As `%T` prints it: `int`, `map[string]interface {}`, `*common.Capabilities`. */
  readonly name: string;
  readonly kind: ReflectKind;
  readonly key: ReflectType | undefined;
  readonly elem: ReflectType | undefined;
  readonly length: number | undefined;
  readonly fields: readonly StructField[] | undefined;
  readonly parameters: readonly ReflectType[] | undefined;
  readonly results: readonly ReflectType[] | undefined;
  readonly variadic: boolean;
  /** The unnamed type with the same structure; itself for unnamed and predeclared types. */
  readonly underlying: ReflectType;
  /** The methods of T, and those of *T for a pointer type. For an interface: the methods it requires. */
  readonly methods: ReadonlyMap<string, GoFunction>;
  /** Methods with a pointer receiver. */
  readonly pointerMethods: ReadonlyMap<string, GoFunction>;
  #pointer: ReflectType | undefined;

  constructor(name: string, kind: ReflectKind, parts: Parts = {}, named: NamedParts = {}) {
    this.name = name;
    this.kind = kind;
    this.key = parts.key;
    this.elem = parts.elem;
    this.length = parts.length;
    this.fields = parts.fields;
    this.parameters = parts.parameters;
    this.results = parts.results;
    this.variadic = parts.variadic ?? false;
    this.underlying = named.underlying ?? this;
    this.methods = named.methods ?? none;
    this.pointerMethods = named.pointerMethods ?? none;
  }

  /** The type of a pointer to this type. */
  get pointerTo(): ReflectType {
    this.#pointer ??= new ReflectType(`*${this.name}`, "ptr", { elem: this }, { methods: union(this.methods, this.pointerMethods) });
    return this.#pointer;
  }

  /** The struct field of a name. */
  field(name: string): StructField | undefined {
    return this.fields?.find((field) => field.name === name);
  }

  toString(): string {
    return this.name;
  }
}

type NamedParts = {
  readonly underlying?: ReflectType;
  readonly methods?: ReadonlyMap<string, GoFunction>;
  readonly pointerMethods?: ReadonlyMap<string, GoFunction>;
};

const none: ReadonlyMap<string, GoFunction> = new Map();

function union(one: ReadonlyMap<string, GoFunction>, other: ReadonlyMap<string, GoFunction>): ReadonlyMap<string, GoFunction> {
  return other.size === 0 ? one : new Map([...one, ...other]);
}

/**
 * Creates a named type: `namedType("common.Values", types.anyMap, { methods: { Table: goFunction(…) } })`. Every call creates a
 * different type.
 */
export function namedType(
  name: string,
  underlying: ReflectType,
  options: { readonly methods?: Methods; readonly pointerMethods?: Methods } = {},
): ReflectType {
  return new ReflectType(name, underlying.kind, underlying, {
    underlying: underlying.underlying,
    methods: new Map(Object.entries(options.methods ?? {})),
    pointerMethods: new Map(Object.entries(options.pointerMethods ?? {})),
  });
}

/** Creates an unnamed struct type. `namedType` names it. */
export function structType(fields: Readonly<Record<string, ReflectType>>): ReflectType {
  const list = Object.entries(fields).map(([name, type]) => ({ name, type }));
  const text = list.map(({ name, type }) => `${name} ${type.name}`).join("; ");
  return new ReflectType(list.length === 0 ? "struct {}" : `struct { ${text} }`, "struct", { fields: list });
}

/** Creates a named interface type with methods. The empty interface is `types.any`. */
export function interfaceType(name: string, methods: Methods): ReflectType {
  return new ReflectType(name, "interface", {}, { methods: new Map(Object.entries(methods)) });
}

/** Whether a value of type `from` can be assigned to a parameter of type `to`. Models reflect.Type.AssignableTo. */
export function isAssignable(from: ReflectType, to: ReflectType): boolean {
  if (from === to) return true;
  if (to.kind === "interface") {
    for (const name of to.methods.keys()) if (!from.methods.has(name)) return false;
    return true;
  }
  const bothNamed = isNamed(from) && isNamed(to);
  return !bothNamed && from.underlying === to.underlying && from.kind === to.kind;
}

/** Whether a type is named or predeclared. */
function isNamed(type: ReflectType): boolean {
  return type.underlying !== type || predeclaredKinds.has(type.kind);
}

const predeclaredKinds: ReadonlySet<ReflectKind> = new Set<ReflectKind>([
  ...(["bool", "string", "float32", "float64", "complex64", "complex128"] as const),
  ...(["int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"] as const),
]);

/** Whether a parameter of this type accepts nil. */
export function canBeNil(type: ReflectType): boolean {
  switch (type.kind) {
    case "chan":
    case "func":
    case "interface":
    case "map":
    case "ptr":
    case "slice":
      return true;
    default:
      return type.name === "reflect.Value";
  }
}
