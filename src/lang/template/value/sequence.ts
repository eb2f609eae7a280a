import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

/** A channel or an iterator function, which `range` iterates over. */
export class GoSequence {
  readonly type: ReflectType;
  /** The number of values per turn. A channel yields one; `range` counts its turns. */
  readonly width: 1 | 2;
  readonly turns: Iterable<readonly [GoValue, GoValue?]>;

  constructor(type: ReflectType, turns: Iterable<readonly [GoValue, GoValue?]>, width: 1 | 2 = 1) {
    this.type = type;
    this.turns = turns;
    this.width = width;
  }
}
