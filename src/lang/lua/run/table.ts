import { encodeLuaString, isAsciiString } from "../lua-string.ts";
import { Coroutine } from "./coroutine.ts";
import { allocate, machine, outOfFuel } from "./machine.ts";
import type { LuaFunction, LuaValue } from "./value.ts";

/** The position of a traversal: first in the list, then in the hash. */
export type TableCursor = { index: number; entries: MapIterator<[LuaValue, LuaValue]> | undefined; key: LuaValue; value: LuaValue };

/** The shared list of tables without items. It stays empty. */
const noItems: LuaValue[] = [];

const entryBytes = 48;
const itemBytes = 8;

/**
 * A Lua table: a list for the keys 1 to n, and a map for the rest.
 *
 * A table may be a view of a JSON object: `view` is then that object, and fields are converted when they are read. Scripts read
 * few fields of their inputs. Written fields shadow the view; deleting a field or iterating copies the view into the table first.
 *
 * The list never ends in nil, and the hash never holds the key after the list, so the length is a border.
 */
export class LuaTable {
  list: LuaValue[];
  hash: Map<LuaValue, LuaValue> | undefined = undefined;
  meta: LuaTable | undefined = undefined;
  view: Readonly<Record<string, unknown>> | undefined = undefined;
  /** The JSON that the table was made from, until it is written to. */
  origin: object | undefined = undefined;
  /** The table was made from a JSON array, so it is one even when it is empty. */
  isArray = false;
  cursor: TableCursor | undefined = undefined;

  constructor(list: LuaValue[] = noItems) {
    this.list = list;
  }

  get(key: LuaValue): LuaValue {
    if (typeof key === "number") return this.getNumber(key);
    if (typeof key === "string") {
      if (key.length > 256) machine.fuel -= key.length >> 6;
      return this.getName(key);
    }
    return key === undefined ? undefined : this.hash?.get(key);
  }

  getNumber(key: number): LuaValue {
    // A key outside the list gives undefined, and for nearly all of those the hash is empty.
    const item = this.list[key - 1];
    if (item !== undefined || this.hash === undefined) return item;
    return this.hash.get(key);
  }

  getName(key: string): LuaValue {
    if (this.hash !== undefined) {
      const value = this.hash.get(key);
      if (value !== undefined) return value;
    }
    return this.view === undefined ? undefined : this.#fromView(this.view, key);
  }

  set(key: LuaValue, value: LuaValue): void {
    if (typeof key === "number") this.setNumber(key, value);
    else this.setHash(key, value);
  }

  setNumber(key: number, value: LuaValue): void {
    const { list } = this;
    if (key === list.length + 1) this.#append(value);
    else if (key >= 1 && key <= list.length && Number.isInteger(key)) {
      this.origin = undefined;
      list[key - 1] = value;
      if (value === undefined && key === list.length) this.#trim();
    } else this.setHash(key, value);
  }

  setHash(key: LuaValue, value: LuaValue): void {
    this.origin = undefined;
    if (value === undefined) {
      // Written fields shadow the view, but nil cannot be stored.
      if (this.view !== undefined) this.fill();
      this.hash?.delete(key);
      return;
    }
    const hash = (this.hash ??= new Map());
    const before = hash.size;
    hash.set(key, value);
    if (hash.size !== before) allocate(typeof key === "string" && key.length > 256 ? entryBytes + key.length : entryBytes);
  }

  get length(): number {
    return this.list.length;
  }

  /** Inserts a value at a position and shifts the rest up. */
  insert(position: number, value: LuaValue): void {
    this.origin = undefined;
    allocate(itemBytes);
    if (this.list === noItems) this.list = [];
    this.list.splice(position - 1, 0, value);
    this.#trim();
  }

  /** Removes the value at a position and shifts the rest down. */
  remove(position: number): LuaValue {
    this.origin = undefined;
    const [value] = this.list.splice(position - 1, 1);
    this.#trim();
    return value;
  }

  cursorAtStart(): TableCursor {
    if (this.view !== undefined) this.fill();
    return { index: 0, entries: undefined, key: undefined, value: undefined };
  }

  /** Moves to the next entry; false at the end. */
  step(cursor: TableCursor): boolean {
    const { list } = this;
    while (cursor.index < list.length) {
      const value = list[cursor.index];
      cursor.index += 1;
      if (value !== undefined) {
        cursor.key = cursor.index;
        cursor.value = value;
        return true;
      }
    }
    if (this.hash === undefined) return false;
    cursor.entries ??= this.hash.entries();
    const { done, value: entry } = cursor.entries.next();
    if (done === true) return false;
    cursor.key = entry[0];
    cursor.value = entry[1];
    return true;
  }

  /** A cursor at a key; undefined if there is no such key. */
  cursorAt(key: LuaValue): TableCursor | undefined {
    const last = this.cursor;
    if (last !== undefined && last.key === key) return last;
    const cursor = this.cursorAtStart();
    while (this.step(cursor)) {
      machine.fuel -= 1;
      if (machine.fuel < 0) outOfFuel();
      if (cursor.key === key) return cursor;
    }
    return undefined;
  }

  /** Copies every field of the view into the table. */
  fill(): void {
    const { view } = this;
    if (view === undefined) return;
    const hash = new Map<LuaValue, LuaValue>();
    for (const name of Object.keys(view)) {
      const key = fromHost(name);
      const value = this.hash?.get(key) ?? fromHost(view[name]);
      if (value !== undefined) hash.set(key, value);
    }
    for (const [key, value] of this.hash ?? []) hash.set(key, value);
    this.view = undefined;
    this.hash = hash;
    allocate(hash.size * entryBytes);
  }

  #fromView(view: Readonly<Record<string, unknown>>, key: string): LuaValue {
    const found = view[key];
    // Values of these types are never inherited.
    if (typeof found === "string") return encodeLuaString(found);
    if (typeof found === "number" || typeof found === "boolean") return found;
    // Names in the view are text and the key is bytes: they agree in ASCII only.
    if (!Object.hasOwn(view, key)) return this.#fromFilled(key);
    const value = fromHost(found);
    if (value instanceof LuaTable) (this.hash ??= new Map()).set(key, value);
    return value;
  }

  #fromFilled(key: string): LuaValue {
    if (isAsciiString(key)) return undefined;
    this.fill();
    return this.hash?.get(key);
  }

  #append(value: LuaValue): void {
    this.origin = undefined;
    if (value === undefined) return;
    if (this.list === noItems) this.list = [];
    const { list, hash } = this;
    list.push(value);
    machine.memory -= itemBytes;
    if (machine.memory < 0) allocate(0);
    if (hash === undefined || hash.size === 0) return;
    for (let next = hash.get(list.length + 1); next !== undefined; next = hash.get(list.length + 1)) {
      list.push(next);
      hash.delete(list.length);
    }
  }

  #trim(): void {
    const { list } = this;
    while (list.length > 0 && list.at(-1) === undefined) list.pop();
  }
}

/** Creates a table and charges its memory. */
export function newTable(list: LuaValue[] = []): LuaTable {
  allocate(96 + list.length * itemBytes);
  while (list.length > 0 && list[list.length - 1] === undefined) list.pop();
  return new LuaTable(list);
}

/** A table that views an object until it is written to. */
export function tableViewOf(view: Readonly<Record<string, unknown>>): LuaTable {
  const table = new LuaTable();
  table.view = view;
  return table;
}

/**
 * Converts a JavaScript value. Objects and arrays become tables, null becomes nil and is dropped from arrays, and functions are
 * taken for Lua functions. Objects are converted lazily.
 */
export function fromHost(value: unknown): LuaValue {
  switch (typeof value) {
    case "string":
      return encodeLuaString(value);
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return Number(value);
    case "function":
      return value as LuaFunction;
    case "object":
      return value === null ? undefined : fromObject(value);
    default:
      return undefined;
  }
}

function fromObject(value: object): LuaValue {
  if (value instanceof LuaTable || value instanceof Coroutine) return value;
  const table = new LuaTable();
  table.origin = value;
  if (Array.isArray(value)) {
    table.isArray = true;
    table.list = value.map(fromHost).filter((item) => item !== undefined);
  } else table.view = value as Readonly<Record<string, unknown>>;
  return table;
}
