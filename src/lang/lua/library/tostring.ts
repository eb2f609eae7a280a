import { callFirst } from "../run/call.ts";
import { metamethod, luaTypeName } from "../run/metatable.ts";
import { raise } from "../run/machine.ts";
import { objectAddress, type LuaValue } from "../run/value.ts";
import { numberText } from "./number-text.ts";

/** Converts a value as `tostring` does. */
export function textOfValue(value: LuaValue): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return numberText(value);
    case "boolean":
      return String(value);
    case "undefined":
      return "nil";
    default:
      return textOfObject(value);
  }
}

function textOfObject(value: NonNullable<LuaValue> & object): string {
  const handler = metamethod(value, "__tostring");
  if (handler === undefined) return `${luaTypeName(value)}: ${objectAddress(value)}`;
  const text = callFirst(handler, value);
  if (typeof text === "string") return text;
  return typeof text === "number" ? numberText(text) : raise("'tostring' must return a string to 'print'");
}
