import { Fault } from "../core/fault/index.ts";
import { GoMap } from "../lang/template/index.ts";
import type { Chart } from "./chart.ts";
import { coalesceTables, coalesceValues } from "./coalesce.ts";
import { jsonValue } from "./strvals/json-value.ts";
import { parseIntoFile, parseJsonInto, parseLiteralInto, parseIntoString, parseInto } from "./strvals/index.ts";
import { mergeMaps, readValues } from "./read-values.ts";
import { ignoreWarning, type Warn } from "./warning.ts";

/** The user's values, by flag. */
export type ValueSources = {
  /** `-f`, in order, each with the name that messages use. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
  /** `--set-json`: `{"a":1}` or `a={"b":1},c=2`. */
  readonly json?: readonly string[];
  /** `--set`. */
  readonly typed?: readonly string[];
  /** `--set-string`. */
  readonly texts?: readonly string[];
  /** `--set-file`. */
  readonly fileLines?: readonly string[];
  /** `--set-literal`. */
  readonly literals?: readonly string[];
  /** Reads what `--set-file` names. Default: there is no file. */
  readonly readFile?: (path: string) => string;
};

/** Merges all user values. Later kinds of flags win over earlier ones. Models helm pkg/cli/values MergeValues */
export function userValues(sources: ValueSources): GoMap {
  const { files = [], json = [], typed = [], texts = [], fileLines = [], literals = [], readFile = noFile } = sources;
  let values = files.map(valuesIn).reduce(mergeMaps, new GoMap());
  for (const line of json) values = withJson(values, line);
  for (const line of typed) check("--set", parseInto(values, line));
  for (const line of texts) check("--set-string", parseIntoString(values, line));
  for (const line of fileLines) check("--set-file", parseIntoFile(values, line, readFile));
  for (const line of literals) check("--set-literal", parseLiteralInto(values, line));
  return values;
}

function valuesIn({ name, text }: { readonly name: string; readonly text: string }): GoMap {
  try {
    return readValues(text);
  } catch (error) {
    throw new Fault(`failed to parse ${name}`, error, { final: true });
  }
}

function withJson(values: GoMap, line: string): GoMap {
  if (line.trim().startsWith("{")) return mergeMaps(values, jsonMap(line));
  if (parseJsonInto(values, line) !== undefined) throw new Fault(`failed parsing --set-json data ${line}`, undefined, { final: true });
  return values;
}

function jsonMap(line: string): GoMap {
  try {
    const read = jsonValue(line);
    if (read instanceof GoMap) return read;
  } catch {
    // Not JSON: reported below in Helm's words.
  }
  throw new Fault(`failed parsing --set-json data JSON: ${line}`, undefined, { final: true });
}

function check(flag: string, problem: string | undefined): void {
  if (problem !== undefined) throw new Fault(`failed parsing ${flag} data: ${problem}`, undefined, { final: true });
}

function noFile(path: string): string {
  throw new Fault(`open ${path}: no such file or directory`, undefined, { final: true });
}

/** How an upgrade uses the values of the previous revision. By default they apply when the user gives none. */
export type Reuse = "when none are given" | "reset" | "reuse" | "reset, then reuse";

/** The chart and the values to upgrade with. Models helm pkg/action/upgrade.go reuseValues */
export function valuesForUpgrade(
  chart: Chart,
  given: GoMap,
  previous: { readonly chart: Chart; readonly config: GoMap },
  reuse: Reuse,
  warn: Warn = ignoreWarning,
): { readonly chart: Chart; readonly values: GoMap } {
  if (reuse === "reset") return { chart, values: given };
  if (reuse === "when none are given") return { chart, values: given.size === 0 ? previous.config : given };
  const values = coalesceTables(given, previous.config, warn);
  if (reuse === "reset, then reuse") return { chart, values };
  return { chart: { ...chart, values: rebuiltValues(previous, warn) }, values };
}

function rebuiltValues(previous: { readonly chart: Chart; readonly config: GoMap }, warn: Warn): GoMap {
  try {
    return coalesceValues(previous.chart, previous.config, { warn });
  } catch (error) {
    throw new Fault("failed to rebuild old values", error, { final: true });
  }
}
