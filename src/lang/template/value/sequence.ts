import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

/** A channel, or an iterator function: something `range` walks over. */
export class GoSequence {
  readonly type: ReflectType;
  /** How many values each turn yields; a channel yields one and counts the turns itself. */
  readonly width: 1 | 2;
  readonly turns: Iterable<readonly [GoValue, GoValue?]>;

  constructor(type: ReflectType, turns: Iterable<readonly [GoValue, GoValue?]>, width: 1 | 2 = 1) {
    this.type = type;
    this.turns = turns;
    this.width = width;
  }
}
