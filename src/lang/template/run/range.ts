import { charge } from "../../../core/cost/index.ts";
import { GoList, GoMap, GoSequence, Integer, indirect, int, reflectType, type GoValue } from "../value/index.ts";
import { sprintValue } from "../print/print.ts";
import { ExecFailure, type NodeRef } from "./error.ts";

const byte = reflectType("uint8");

/** The iteration of a range: a number of turns, each with a key and an element. */
type RangeIteration = {
  readonly count: number;
  key(turn: number): GoValue;
  element(turn: number): GoValue;
};

const nothing: RangeIteration = { count: 0, key: () => undefined, element: () => undefined };

/** Iterates over a value. `variables` is the number that the range declares. Models state.walkRange. */
export function rangeOver(value: GoValue, variables: number, node: NodeRef): RangeIteration {
  const inside = indirect(value);
  if (inside === undefined || inside === null) return nothing;
  if (inside instanceof GoList) return new Items(inside.items);
  if (inside instanceof GoMap) return new Elements(inside);
  if (inside instanceof Integer) {
    if (variables > 1) throw new ExecFailure(`can't use ${sprintValue(inside)} to iterate over more than one variable`, node);
    return new Count(inside);
  }
  if (inside instanceof Uint8Array) return new Items(Array.from(inside, (item) => new Integer(byte, item)));
  if (inside instanceof GoSequence) return sequence(inside, variables, node);
  throw new ExecFailure(`range can't iterate over ${sprintValue(inside)}`, node);
}

class Items implements RangeIteration {
  readonly count: number;
  readonly #items: readonly GoValue[];

  constructor(items: readonly GoValue[]) {
    this.#items = items;
    this.count = items.length;
  }

  key(turn: number): GoValue {
    return int(turn);
  }

  element(turn: number): GoValue {
    return this.#items[turn];
  }
}

/** An element in a snapshot. */
const costOfElement = 16;

/** A snapshot of a map at the start of the range. */
class Elements implements RangeIteration {
  readonly count: number;
  readonly #keys: readonly GoValue[];
  readonly #elements: readonly GoValue[];

  constructor(map: GoMap) {
    const keys = map.sortedKeys();
    this.count = keys.length;
    charge(costOfElement * this.count);
    this.#keys = map.isPlain ? keys : Array.from(map.sortedEntries(), ([key]) => key);
    this.#elements = keys.map((key) => map.get(key));
  }

  key(turn: number): GoValue {
    return this.#keys[turn];
  }

  element(turn: number): GoValue {
    return this.#elements[turn];
  }
}

class Count implements RangeIteration {
  readonly count: number;
  readonly #limit: Integer;

  constructor(limit: Integer) {
    this.#limit = limit;
    this.count = Math.max(Number(limit.value), 0);
  }

  key(): GoValue {
    return undefined;
  }

  element(turn: number): GoValue {
    return new Integer(this.#limit.type, turn);
  }
}

function sequence(value: GoSequence, variables: number, node: NodeRef): RangeIteration {
  const isChannel = value.type.kind === "chan";
  if (value.width === 1 && variables > 1 && !isChannel) {
    throw new ExecFailure(`can't use ${sprintValue(value)} iterate over more than one variable`, node);
  }
  const turns = [...value.turns];
  const second = value.width === 2 && variables > 1;
  return {
    count: turns.length,
    key: (turn) => (isChannel ? int(turn) : second ? turns[turn]?.[0] : undefined),
    element: (turn) => (second ? turns[turn]?.[1] : turns[turn]?.[0]),
  };
}
