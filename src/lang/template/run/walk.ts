import { GoList, GoMap, Integer, Sequence, goType, indirect, int, typeName, type Value } from "../value/index.ts";
import { valueText } from "../print/print.ts";
import { quote } from "../print/quote.ts";
import { isUnprintable, printable } from "../print/printable.ts";
import { nodeText } from "../parse/node-text.ts";
import { Failure, type Place } from "./error.ts";
import { nodeAt, type Entry, type Frame } from "./frame.ts";

const byte = goType("uint8");

/** What a range walks over: so many turns, each with a key and an element. */
export interface Walk {
  readonly count: number;
  key(turn: number): Value;
  element(turn: number): Value;
}

const nothing: Walk = { count: 0, key: () => undefined, element: () => undefined };

/** The turns of a range over a value. `variables` is how many the range declares. Models state.walkRange. */
export function walk(value: Value, variables: number, node: Place): Walk {
  const inside = indirect(value);
  if (inside === undefined || inside === null) return nothing;
  if (inside instanceof GoList) return new Items(inside.items);
  if (inside instanceof GoMap) return new Elements(inside);
  if (inside instanceof Integer) {
    if (variables > 1) throw new Failure(`can't use ${valueText(inside)} to iterate over more than one variable`, node);
    return new Count(inside);
  }
  if (inside instanceof Uint8Array) return new Items(Array.from(inside, (item) => new Integer(byte, item)));
  if (inside instanceof Sequence) return sequence(inside, variables, node);
  throw new Failure(`range can't iterate over ${valueText(inside)}`, node);
}

class Items implements Walk {
  readonly count: number;
  private readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
    this.count = items.length;
  }

  key(turn: number): Value {
    return int(turn);
  }

  element(turn: number): Value {
    return this.items[turn];
  }
}

/** A map as it was when the range began: what the body changes is not seen. */
class Elements implements Walk {
  readonly count: number;
  private readonly keys: readonly Value[];
  private readonly elements: readonly Value[];

  constructor(map: GoMap) {
    const keys = map.sortedKeys();
    this.count = keys.length;
    this.keys = map.isPlain ? keys : Array.from(map.sortedEntries(), ([key]) => key);
    this.elements = keys.map((key) => map.get(key));
  }

  key(turn: number): Value {
    return this.keys[turn];
  }

  element(turn: number): Value {
    return this.elements[turn];
  }
}

class Count implements Walk {
  readonly count: number;
  private readonly limit: Integer;

  constructor(limit: Integer) {
    this.limit = limit;
    this.count = Math.max(Number(limit.value), 0);
  }

  key(): Value {
    return undefined;
  }

  element(turn: number): Value {
    return new Integer(this.limit.type, turn);
  }
}

function sequence(value: Sequence, variables: number, node: Place): Walk {
  const isChannel = value.type.kind === "chan";
  if (value.width === 1 && variables > 1 && !isChannel) {
    throw new Failure(`can't use ${valueText(value)} iterate over more than one variable`, node);
  }
  const turns = [...value.turns];
  const second = value.width === 2 && variables > 1;
  return {
    count: turns.length,
    key: (turn) => (isChannel ? int(turn) : second ? turns[turn]?.[0] : undefined),
    element: (turn) => (second ? turns[turn]?.[1] : turns[turn]?.[0]),
  };
}

/** What the action at that place prints of a value that is not a string. */
export function print(value: Value, node: Place, { program }: Entry): string {
  if (value === undefined || value === null) return "<no value>";
  const shown = printable(value);
  if (isUnprintable(shown)) {
    const action = nodeAt(program, node);
    throw new Failure(`can't print ${action === undefined ? "" : nodeText(action)} of type ${typeName(shown)}`, node);
  }
  return valueText(shown);
}

/** The template that a `template` action names. */
export function lookup(frame: Frame, name: string, node: Place): Entry {
  const entry = frame.lookup(name);
  if (entry === undefined) throw new Failure(`template ${quote(name)} not defined`, node);
  if (frame.depth >= frame.maxDepth) throw new Failure("exceeded maximum template depth (100000)", node);
  return entry;
}

/** The output of another template. */
export function enter(frame: Frame, entry: Entry, dot: Value): string {
  frame.depth++;
  const text = entry.program.run(frame, dot, entry);
  frame.depth--;
  if (--frame.budget < 0 || text.length > frame.maxOutput) frame.check(text.length);
  return text;
}

/** How a piped value is named by `call`. Models reflect.Value.String. */
export function pipedName(value: Value): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "<invalid Value>" : `<${typeName(value)} Value>`;
}
