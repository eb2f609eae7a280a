import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

/**
 * A Go struct: what a template may read of it is in its type's fields and methods, and nothing else of it can be reached.
 * `own` is for the implementations of its methods and is never seen by a template (the moment of a `time.Time`, say).
 */
export class GoStruct {
  readonly type: ReflectType;
  readonly fields: Readonly<Record<string, GoValue>>;
  readonly own: unknown;
  /** Does it lie behind a pointer, so that methods of *T can be called on it? */
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

  /** The field's value; a field that was not given is nil. */
  field(name: string): GoValue {
    return Object.hasOwn(this.fields, name) ? this.fields[name] : null;
  }
}

/** A Go pointer: `new Pointer(type.pointerTo, struct)`; nil when it has no target. */
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
