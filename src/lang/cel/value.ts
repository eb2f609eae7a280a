import type { Meter } from "./meter.ts";

/** A value during an evaluation. `bigint` is an int and `number` a double. Lists and maps are abstract, so objects need not be copied. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | CelTimestamp
  | CelDuration
  | TypeValue
  | Optional
  | ListValue
  | MapValue
  | Opaque;

export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A timestamp, in nanoseconds since 1970. */
export class CelTimestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class CelDuration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** The result of `type(x)`. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: CelValue | undefined;
  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A value of a library: a quantity, a URL … */
export abstract class Opaque {
  abstract readonly typeName: string;
  abstract equals(other: Opaque): boolean;
  abstract toString(): string;
}

export abstract class ListValue {
  abstract readonly size: number;
  abstract at(index: number): CelValue;

  /** Equality and addition of lists of type set or map; undefined for all others. */
  equalTo(_other: ListValue, _meter: Meter): boolean | undefined {
    return undefined;
  }

  plus(_other: ListValue, _meter: Meter): ListValue | undefined {
    return undefined;
  }
}

export class Items extends ListValue {
  readonly items: readonly CelValue[];
  constructor(items: readonly CelValue[]) {
    super();
    this.items = items;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): CelValue {
    return this.items[index] ?? null;
  }
}

export abstract class MapValue {
  abstract readonly size: number;
  /** Undefined when there is no such key. */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): readonly CelValue[];

  /** Equality of objects with a schema, which includes undeclared fields; undefined for all others. */
  equalTo(_other: MapValue, _meter: Meter): boolean | undefined {
    return undefined;
  }
}

export class Entries extends MapValue {
  readonly #entries = new Map<CelValue, readonly [CelValue, CelValue]>();

  get size(): number {
    return this.#entries.size;
  }

  find(key: CelValue): CelValue | undefined {
    return this.#entries.get(indexOf(key))?.[1];
  }

  keys(): readonly CelValue[] {
    return [...this.#entries.values()].map(([key]) => key);
  }

  has(key: CelValue): boolean {
    return this.#entries.has(indexOf(key));
  }

  put(key: CelValue, value: CelValue): void {
    this.#entries.set(indexOf(key), [key, value]);
  }
}

/** The lookup form of a key: equal numbers of different types are the same key. */
function indexOf(key: CelValue): CelValue {
  if (key instanceof Uint) return key.value;
  return typeof key === "number" && Number.isInteger(key) ? BigInt(key) : key;
}

/** The name of a value's type at run time. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "boolean":
      return "bool";
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<CelValue, string | bigint | number | boolean>): string {
  if (value === null) return "null_type";
  if (value instanceof ListValue) return "list";
  if (value instanceof MapValue) return "map";
  if (value instanceof Uint) return "uint";
  if (value instanceof CelTimestamp) return "google.protobuf.Timestamp";
  if (value instanceof CelDuration) return "google.protobuf.Duration";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof TypeValue) return "type";
  if (value instanceof Optional) return "optional_type";
  return value.typeName;
}
