import { LuaTable, spend, stringArg, tableArg } from "../../lang/lua/index.ts";
import type { Arguments, LuaFunction, LuaResult, LuaValue } from "../../lang/lua/index.ts";

/** Sveltos' global functions, which scripts call without `require`. On failure they return nil and a message. */
export const globalFunctions: Readonly<Record<string, LuaFunction>> = {
  base64Encode: (...args) => nonEmpty(args, (bytes) => Buffer.from(bytes, "latin1").toString("base64")),
  base64Decode: (...args) => nonEmpty(args, decoded),
  getLabel: (...args) => metadataEntry(args, "labels"),
  getAnnotation: (...args) => metadataEntry(args, "annotations"),
  getResource(...args) {
    if (args.length !== 2) return failure("expected 2 arguments (table, key)");
    return tableArg(args, 1).get(stringArg(args, 2));
  },
};

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decoded(text: string): LuaResult {
  // Go's decoder passes over line ends.
  const joined = text.replaceAll(/[\r\n]/g, "");
  if (!base64.test(joined)) return failure("decoding failed");
  return Buffer.from(joined, "base64").toString("latin1");
}

function nonEmpty(args: Arguments, work: (text: string) => LuaResult): LuaResult {
  const text = stringArg(args, 1);
  spend(text.length);
  return text === "" ? failure("provided string is empty") : work(text);
}

function metadataEntry(args: Arguments, map: string): LuaResult {
  if (args.length !== 2) return failure("expected 2 arguments (table, key)");
  const entry = within(within(tableArg(args, 1), "metadata"), map)?.get(stringArg(args, 2));
  return typeof entry === "string" ? entry : undefined;
}

function within(table: LuaTable | undefined, key: string): LuaTable | undefined {
  const value: LuaValue = table?.get(key);
  return value instanceof LuaTable ? value : undefined;
}

function failure(message: string): LuaValue[] {
  return [undefined, message];
}
