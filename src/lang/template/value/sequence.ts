import type { GoType } from "./type.ts";
import type { Value } from "./value.ts";

/** A channel, or an iterator function: something `range` walks over. */
export class Sequence {
  readonly type: GoType;
  /** How many values each turn yields; a channel yields one and counts the turns itself. */
  readonly width: 1 | 2;
  readonly turns: Iterable<readonly [Value, Value?]>;

  constructor(type: GoType, turns: Iterable<readonly [Value, Value?]>, width: 1 | 2 = 1) {
    this.type = type;
    this.turns = turns;
    this.width = width;
  }
}
