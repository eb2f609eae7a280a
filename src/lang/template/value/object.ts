import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

/**
 * A Go struct. Templates reach only the fields and methods of its type. `own` is private to the implementations of the methods
 * (the time zone of a `time.Location`, for example).
 */
export class GoStruct {
  readonly type: ReflectType;
  readonly fields: Readonly<Record<string, GoValue>>;
  readonly own: unknown;
  /** It is behind a pointer, so methods of *T can be called on it. */
  readonly addressable: boolean;

  constructor(
    type: ReflectType,
    fields: Readonly<Record<string, GoValue>> = {},
    options: { readonly own?: unknown; readonly addressable?: boolean } = {},
  ) {
    this.type = type;
    this.fields = fields;
    this.own = options.own;
    this.addressable = options.addressable ?? false;
  }

  /** The value of a field; nil if it was not given. */
  field(name: string): GoValue {
    return Object.hasOwn(this.fields, name) ? this.fields[name] : null;
  }
}

/** A Go pointer: `new Pointer(type.pointerTo, struct)`. Without a target it is nil. */
export class Pointer {
  readonly type: ReflectType;
  readonly target: GoValue;
  readonly isNil: boolean;

  constructor(type: ReflectType, target?: GoValue) {
    this.type = type;
    this.target = target;
    this.isNil = target === undefined;
  }
}
