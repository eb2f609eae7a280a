import type { LogLine } from "./behaviour.ts";
import { millisecondsOf } from "./duration.ts";
import type { Container } from "./pod.ts";

/** The effect of a command as far as it is known without running it. `endsAfter` is undefined when it does not end. */
export type CommandOutcome = { readonly endsAfter: number | undefined; readonly exitCode: number; readonly logs: readonly LogLine[] };

const shells = new Set(["sh", "bash", "ash", "/bin/sh", "/bin/bash", "/bin/ash"]);

/**
 * Parses a command that consists of `echo`, `sleep`, `true`, `false` and `exit` only, by itself or as a shell's `-c`
 * text. Undefined for any other command, and for shell syntax beyond `;`, `&&` and new lines.
 */
export function commandOutcomeOf({ command, args }: Container): CommandOutcome | undefined {
  const words = [...(command ?? []), ...(args ?? [])];
  const [first = "", second = ""] = words;
  if (command === undefined || first === "") return undefined;
  if (!shells.has(first)) return runOf([words]);
  if (!/^-[a-z]*c$/.test(second) || words.length < 3) return undefined;
  const text = words[2]!;
  if (/[|`$(){}<>*]|&(?!&)|\bwhile\b|\bfor\b|\bif\b/.test(text.replaceAll("&&", ";"))) return undefined;
  const statements = text.split(/;|&&|\n/).map((statement) => statement.trim());
  return runOf(statements.filter((statement) => statement !== "").map(wordsOf));
}

function wordsOf(statement: string): string[] {
  return [...statement.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

function runOf(statements: readonly (readonly string[])[]): CommandOutcome | undefined {
  const logs: LogLine[] = [];
  let passed = 0;
  let exitCode = 0;
  for (const [name = "", ...rest] of statements) {
    const program = name.slice(name.lastIndexOf("/") + 1);
    if (program === "exit") return { endsAfter: passed, exitCode: Number(rest[0] ?? exitCode) & 255, logs };
    if (program === "sleep") {
      if (rest[0] === "infinity" || rest[0] === "inf") return { endsAfter: undefined, exitCode: 0, logs };
      const ms = millisecondsOf(rest[0]);
      if (ms === undefined) return undefined;
      passed += ms;
    } else if (program === "echo") {
      logs.push({ after: passed, line: rest.join(" ") });
    } else if (program !== "true" && program !== "false" && program !== "set") {
      return undefined;
    }
    exitCode = program === "false" ? 1 : 0;
  }
  return { endsAfter: passed, exitCode, logs };
}
