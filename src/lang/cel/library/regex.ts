import type { RE2JS } from "../../re2/index.ts";
import { declare, member, takes, type FunctionDeclaration } from "../declaration.ts";
import { fail, CelFailure } from "../failure.ts";
import { compileCelRegex } from "../regex.ts";
import { listType, stringType } from "../type.ts";
import { Items } from "../value.ts";
import { matchCost } from "./standard.ts";

function compiled(pattern: string): RE2JS {
  try {
    return compileCelRegex(pattern);
  } catch (cause) {
    return fail(`Illegal regex: ${cause instanceof CelFailure ? cause.message : String(cause)}`);
  }
}

function find(text: string, pattern: string): string {
  const matcher = compiled(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

function findAll(text: string, pattern: string, limit: bigint): Items {
  const matcher = compiled(pattern).matcher(text);
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const found: string[] = [];
  for (let count = 0; count < most && matcher.find(); count++) found.push(matcher.group() ?? "");
  return new Items(found);
}

/** Models apiserver pkg/cel/library/regex.go */
export const regex: readonly FunctionDeclaration[] = [
  declare("find", member("string_find_string", [takes.string, takes.string], stringType, find, matchCost)),
  declare(
    "findAll",
    member(
      "string_find_all_string",
      [takes.string, takes.string],
      listType(stringType),
      (text, pattern) => findAll(text, pattern, -1n),
      matchCost,
    ),
    member("string_find_all_string_int", [takes.string, takes.string, takes.int], listType(stringType), findAll, matchCost),
  ),
];
