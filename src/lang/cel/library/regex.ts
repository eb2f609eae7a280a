import { re2Work, type RE2JS } from "../../re2/index.ts";
import { declare, member, takes, type FunctionDeclaration } from "../declaration.ts";
import { fail, CelFailure } from "../failure.ts";
import type { Meter } from "../meter.ts";
import { compileCelRegex } from "../regex.ts";
import { listType, stringType } from "../type.ts";
import { Items } from "../value.ts";
import { matchCost } from "./standard.ts";

function compiled(pattern: string, text: string, meter: Meter): RE2JS {
  meter.step(re2Work(pattern, text.length));
  try {
    return compileCelRegex(pattern);
  } catch (cause) {
    return fail(`Illegal regex: ${cause instanceof CelFailure ? cause.message : String(cause)}`);
  }
}

function find(text: string, pattern: string, meter: Meter): string {
  const matcher = compiled(pattern, text, meter).matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

function findAll(text: string, pattern: string, limit: bigint, meter: Meter): Items {
  const matcher = compiled(pattern, text, meter).matcher(text);
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const found: string[] = [];
  for (let count = 0; count < most && matcher.find(); count++) {
    found.push(matcher.group() ?? "");
    // A search may go on to the end of the text before it settles on a short match.
    meter.step(re2Work(pattern, (text.length - matcher.end()) / 2));
  }
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
      (text, pattern, meter) => findAll(text, pattern, -1n, meter),
      matchCost,
    ),
    member("string_find_all_string_int", [takes.string, takes.string, takes.int], listType(stringType), findAll, matchCost),
  ),
];
