import { luaSetTable } from "./access.ts";
import { raiseAt, type DebugLocation } from "./machine.ts";
import { toNumber } from "./operator.ts";
import { type LuaTable, newTable } from "./table.ts";
import type { LuaValue } from "./value.ts";

/** Builds a table whose constructor has keys. */
export class TableConstructor {
  readonly #table: LuaTable = newTable();
  readonly #list: LuaValue[] = [];

  set(key: LuaValue, value: LuaValue, location: DebugLocation): this {
    luaSetTable(this.#table, key, value, location);
    return this;
  }

  item(value: LuaValue): this {
    this.#list.push(value);
    return this;
  }

  all(values: readonly LuaValue[]): this {
    for (const value of values) this.#list.push(value);
    return this;
  }

  /** List items are stored after keyed ones. */
  table(): LuaTable {
    const table = this.#table;
    this.#list.forEach((value, index) => {
      if (value !== undefined || table.get(index + 1) !== undefined) table.setNumber(index + 1, value);
    });
    return table;
  }
}

/** The table `arg` of vararg functions that do not use `...`. */
export function argTable(values: LuaValue[]): LuaTable {
  const table = newTable([...values]);
  table.setHash("n", values.length);
  return table;
}

/** Converts the bounds of a numeric `for`. */
export function forNumbers(from: LuaValue, to: LuaValue, step: LuaValue, location: DebugLocation): [number, number, number] {
  const numbers = [from, to, step].map(toNumber);
  const bad = numbers.indexOf(undefined);
  if (bad >= 0) raiseAt(location, `'for' ${["initial value", "limit", "step"][bad]} must be a number`);
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
}
