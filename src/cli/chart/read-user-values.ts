import { userValues, type Reuse } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { readFileBytes } from "../../core/file/index.ts";
import type { GoMap } from "../../lang/template/index.ts";
import { sourceReaders } from "../source-readers.ts";
import type { ReuseFlags, ValueFlags } from "./chart-options.ts";

/** Merges the values of all value flags into one map. */
export async function readUserValues(flags: ValueFlags, signal: AbortSignal): Promise<GoMap> {
  const files: { name: string; text: string }[] = [];
  for (const name of flags.values) files.push({ name, text: await readText(name.trim(), signal) });
  return userValues({
    files,
    json: flags.setJson,
    typed: flags.set,
    texts: flags.setString,
    fileLines: flags.setFile,
    literals: flags.setLiteral,
    readFile: readLocalFile,
  });
}

async function readText(name: string, signal: AbortSignal): Promise<string> {
  if (name === "-") return sourceReaders.stdin(signal);
  if (/^https?:\/\//i.test(name)) return sourceReaders.fetch(name, signal);
  return readLocalFile(name);
}

function readLocalFile(path: string): string {
  try {
    return readFileBytes(path).toString("utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const why =
      code === "ENOENT"
        ? "no such file or directory"
        : code === "EISDIR"
          ? "is a directory"
          : error instanceof Error
            ? error.message
            : String(error);
    throw new Fault(`open ${path}: ${why}`, undefined, { final: true });
  }
}

/** Helm's precedence when several flags are given. Models helm pkg/action/upgrade.go reuseValues */
export function reuseModeOf({ resetValues, reuseValues, resetThenReuseValues }: ReuseFlags): Reuse {
  if (resetValues) return "reset";
  if (reuseValues) return "reuse";
  return resetThenReuseValues ? "reset, then reuse" : "when none are given";
}
