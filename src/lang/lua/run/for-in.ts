import { callAll, call2 } from "./call.ts";
import type { DebugLocation } from "./machine.ts";
import { LuaTable, type TableCursor } from "./table.ts";
import type { LuaFunction, LuaValue } from "./value.ts";

/** The iterator of `for … in`: the first two values of the current entry, and any further ones. */
type ForInIterator = { k: LuaValue; v: LuaValue; readonly more: readonly LuaValue[]; step(): boolean };

const none: readonly LuaValue[] = [];

/** The iterators of `pairs` and `ipairs`, which are run without calls. */
export const knownIterators: { next: LuaFunction | undefined; ipairs: LuaFunction | undefined } = { next: undefined, ipairs: undefined };

/** The iterator for `for … in f, state, control`. */
export function forInIterator(values: LuaValue[], location: DebugLocation): ForInIterator {
  const [f, state, control] = values;
  if (state instanceof LuaTable) {
    if (f === knownIterators.next && control === undefined) return new PairsIterator(state);
    if (f === knownIterators.ipairs && control === 0) return new ListIterator(state);
  }
  return new CallIterator(f, state, control, location);
}

class PairsIterator implements ForInIterator {
  k: LuaValue = undefined;
  v: LuaValue = undefined;
  readonly more = none;
  readonly #table: LuaTable;
  readonly #cursor: TableCursor;

  constructor(table: LuaTable) {
    this.#table = table;
    this.#cursor = table.cursorAtStart();
  }

  step(): boolean {
    if (!this.#table.step(this.#cursor)) return false;
    this.k = this.#cursor.key;
    this.v = this.#cursor.value;
    return true;
  }
}

class ListIterator implements ForInIterator {
  k: LuaValue = 0;
  v: LuaValue = undefined;
  readonly more = none;
  readonly #table: LuaTable;
  #index = 0;

  constructor(table: LuaTable) {
    this.#table = table;
  }

  step(): boolean {
    this.#index += 1;
    this.k = this.#index;
    this.v = this.#table.getNumber(this.#index);
    return this.v !== undefined;
  }
}

class CallIterator implements ForInIterator {
  k: LuaValue;
  v: LuaValue = undefined;
  more = none;
  readonly #f: LuaValue;
  readonly #state: LuaValue;
  readonly #location: DebugLocation;

  constructor(f: LuaValue, state: LuaValue, control: LuaValue, location: DebugLocation) {
    this.#f = f;
    this.#state = state;
    this.#location = location;
    this.k = control;
  }

  step(): boolean {
    const result = typeof this.#f === "function" ? call2(this.#location, this.#f, this.#state, this.k) : this.#callOther();
    if (Array.isArray(result)) {
      [this.k, this.v] = result;
      this.more = result;
    } else {
      this.k = result;
      this.v = undefined;
      this.more = none;
    }
    return this.k !== undefined;
  }

  #callOther() {
    return callAll(this.#location, this.#f, [this.#state, this.k]);
  }
}
