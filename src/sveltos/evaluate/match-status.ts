import { isFields } from "../../core/object/index.ts";
import { ScriptFault } from "../script/index.ts";
import type { MatchResult } from "./evaluation-result.ts";

/**
 * Reads the table that a script's `evaluate` returned: `matching` (default false) and `message`. Other keys are ignored.
 * As in Sveltos, keys are case-insensitive, and neither 1 nor "true" is true.
 */
export function readMatchStatus(returned: unknown): MatchResult {
  const table = tableOf(returned);
  const matching = tableField(table, "matching");
  if (matching !== undefined && typeof matching !== "boolean")
    throw new ScriptFault(`evaluate returned matching = ${describeValue(matching)}; expected true or false`);
  const message = messageIn(table);
  if (matching === true) return { state: "matching", message };
  return { state: "different", because: message === "" ? "evaluate says that it does not match" : message, message };
}

/** The table that a script returned. An empty Lua table arrives as a list; it means an empty object. */
export function tableOf(returned: unknown): Readonly<Record<string, unknown>> {
  if (isFields(returned)) return returned;
  if (Array.isArray(returned) && returned.length === 0) return {};
  throw new ScriptFault(`evaluate returned ${describeValue(returned)}; expected a table`);
}

export function messageIn(table: Readonly<Record<string, unknown>>): string {
  const message = tableField(table, "message") ?? "";
  if (typeof message !== "string") throw new ScriptFault(`evaluate returned message = ${describeValue(message)}; expected a string`);
  return message;
}

/** The value of a key, without regard to case; an exact match takes precedence. */
export function tableField(table: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = Object.hasOwn(table, name) ? name : Object.keys(table).find((other) => other.toLowerCase() === name);
  const value = key === undefined ? undefined : table[key];
  return value === null ? undefined : value;
}

/** A value in words, for messages. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (typeof value === "string") return `the string ${JSON.stringify(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "boolean" ? String(value) : "a table";
}
