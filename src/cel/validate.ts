import type { Call, Expr } from "./ast.ts";
import { Failure } from "./failure.ts";
import { compilePattern } from "./pattern.ts";
import type { Issue } from "./source.ts";
import { parseDuration, parseTimestamp } from "./time.ts";

/** What is wrong with constants that stand where only some are right. Models cel-go cel/validator.go */
export function validateLiterals(calls: Iterable<Call>): readonly Issue[] {
  return [...calls].flatMap(({ name, target, args }) => {
    const [argument] = name === "matches" && target === undefined ? args.slice(1) : args;
    const isWrong = checks[name]?.(argument) ?? false;
    return isWrong && argument !== undefined ? [{ at: argument.at, message: `invalid ${name} argument` }] : [];
  });
}

type Check = (argument: Expr | undefined) => boolean;

function ofText(isWrong: (text: string) => boolean): Check {
  return (argument) => argument?.op === "literal" && typeof argument.value === "string" && isWrong(argument.value);
}

const checks: Readonly<Record<string, Check>> = {
  duration: ofText((text) => parseDuration(text) === undefined),
  timestamp: ofText((text) => parseTimestamp(text) === undefined),
  matches: ofText((text) => !compiles(text)),
};

function compiles(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch (cause) {
    if (cause instanceof Failure) return false;
    throw cause;
  }
}
