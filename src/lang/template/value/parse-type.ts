import { GoFunction } from "./function.ts";
import { ReflectType, type ReflectKind } from "./reflect-type.ts";

const basicKinds = [
  ...(["bool", "string", "float32", "float64", "complex64", "complex128", "unsafe.Pointer"] as const),
  ...(["int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"] as const),
] satisfies ReflectKind[];

const interned = new Map<string, ReflectType>(basicKinds.map((kind) => [kind, new ReflectType(kind, kind)]));

const empty = new ReflectType("interface {}", "interface");
for (const spelling of ["interface {}", "interface{}", "any"]) interned.set(spelling, empty);
interned.set("byte", interned.get("uint8")!);
interned.set("rune", interned.get("int32")!);
// Only the names of interface methods are compared, not their signatures.
const errorMethod = new GoFunction(empty, () => "");
const stringMethod = new GoFunction(empty, () => "");
interned.set("error", new ReflectType("error", "interface", {}, { methods: new Map([["Error", errorMethod]]) }));
interned.set("fmt.Stringer", new ReflectType("fmt.Stringer", "interface", {}, { methods: new Map([["String", stringMethod]]) }));
// A parameter of this type takes any value unchanged, including nil and the invalid value.
interned.set("reflect.Value", new ReflectType("reflect.Value", "struct", { fields: [] }));

/** The named types that a signature may refer to. */
export type TypeScope = Readonly<Record<string, ReflectType>>;

/** Parses a Go type such as `map[string][]interface {}` or `func(string, ...any) (string, error)`. */
export function reflectType(text: string, scope: TypeScope = {}): ReflectType {
  const known = interned.get(text);
  if (known !== undefined) return known;
  const reader = new TypeReader(text, scope);
  const type = reader.read();
  reader.end();
  return type;
}

function intern(type: ReflectType): ReflectType {
  const known = interned.get(type.name);
  if (known !== undefined && sameParts(known, type)) return known;
  // Two packages may use one name for different types. Only the first is interned.
  if (known === undefined) interned.set(type.name, type);
  return type;
}

function sameParts(one: ReflectType, other: ReflectType): boolean {
  return (
    one.kind === other.kind &&
    one.key === other.key &&
    one.elem === other.elem &&
    sameList(one.parameters, other.parameters) &&
    sameList(one.results, other.results)
  );
}

function sameList(one: readonly ReflectType[] = [], other: readonly ReflectType[] = []): boolean {
  return one.length === other.length && one.every((type, index) => type === other[index]);
}

/** The type of a slice. */
export function sliceOf(elem: ReflectType): ReflectType {
  return intern(new ReflectType(`[]${elem.name}`, "slice", { elem }));
}

/** The type of an array. */
export function arrayOf(elem: ReflectType, length: number): ReflectType {
  return intern(new ReflectType(`[${length}]${elem.name}`, "array", { elem, length }));
}

/** The type of a map. */
function mapOf(key: ReflectType, elem: ReflectType): ReflectType {
  return intern(new ReflectType(`map[${key.name}]${elem.name}`, "map", { key, elem }));
}

/** The type of a function. The last parameter of a variadic one is its element type. */
function functionOf(parameters: readonly ReflectType[], results: readonly ReflectType[], variadic: boolean): ReflectType {
  const shown = parameters.map(({ name }, index) => (variadic && index === parameters.length - 1 ? `...${name}` : name));
  const outcome = results.map(({ name }) => name).join(", ");
  const tail = results.length === 0 ? "" : results.length === 1 ? ` ${outcome}` : ` (${outcome})`;
  return intern(new ReflectType(`func(${shown.join(", ")})${tail}`, "func", { parameters, results, variadic }));
}

class TypeReader {
  readonly #text: string;
  readonly #scope: TypeScope;
  #at = 0;

  constructor(text: string, scope: TypeScope) {
    this.#text = text;
    this.#scope = scope;
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#fail();
  }

  read(): ReflectType {
    this.#space();
    if (this.#take("*")) return this.read().pointerTo;
    if (this.#take("[]")) return sliceOf(this.read());
    if (this.#take("map[")) return this.#map();
    if (this.#take("func(")) return this.#function();
    if (this.#take("chan ")) return intern(chanOf(this.read()));
    if (this.#take("interface {}") || this.#take("interface{}")) return empty;
    if (this.#take("[")) return this.#array();
    return this.#named();
  }

  #map(): ReflectType {
    const key = this.read();
    this.#expect("]");
    return mapOf(key, this.read());
  }

  #array(): ReflectType {
    const length = /^\d+/.exec(this.#text.slice(this.#at))?.[0] ?? this.#fail();
    this.#at += length.length;
    this.#expect("]");
    return arrayOf(this.read(), Number(length));
  }

  #function(): ReflectType {
    let variadic = false;
    const parameters = this.#list(() => {
      if (this.#take("...")) variadic = true;
      return this.read();
    });
    this.#space();
    if (this.#take("("))
      return functionOf(
        parameters,
        this.#list(() => this.read()),
        variadic,
      );
    const ended = this.#at >= this.#text.length || /^[,)\]]/.test(this.#text.slice(this.#at));
    return functionOf(parameters, ended ? [] : [this.read()], variadic);
  }

  #list(item: () => ReflectType): ReflectType[] {
    const items: ReflectType[] = [];
    this.#space();
    while (!this.#take(")")) {
      if (items.length > 0) this.#expect(",");
      this.#space();
      items.push(item());
      this.#space();
    }
    return items;
  }

  #named(): ReflectType {
    const name = /^[\w.]+/.exec(this.#text.slice(this.#at))?.[0] ?? this.#fail();
    this.#at += name.length;
    return (Object.hasOwn(this.#scope, name) ? this.#scope[name] : interned.get(name)) ?? this.#fail();
  }

  #space(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }

  #take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) this.#fail();
  }

  #fail(): never {
    throw new TypeError(`not a Go type: ${this.#text} (at ${this.#at})`);
  }
}

function chanOf(elem: ReflectType): ReflectType {
  return new ReflectType(`chan ${elem.name}`, "chan", { elem });
}

/** Frequent types. */
export const types = {
  any: empty,
  bool: reflectType("bool"),
  string: reflectType("string"),
  float64: reflectType("float64"),
  float32: reflectType("float32"),
  complex128: reflectType("complex128"),
  int: reflectType("int"),
  int64: reflectType("int64"),
  int32: reflectType("int32"),
  uint8: reflectType("uint8"),
  error: reflectType("error"),
  reflectValue: reflectType("reflect.Value"),
  bytes: reflectType("[]uint8"),
  anyList: reflectType("[]interface {}"),
  stringList: reflectType("[]string"),
  intList: reflectType("[]int"),
  anyMap: reflectType("map[string]interface {}"),
  stringMap: reflectType("map[string]string"),
} as const;
