import type { Problem } from "../../core/fault/index.ts";
import { isFields, parsePath } from "../../core/object/index.ts";
import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";

/** Where a problem of an object is in its file. One in a script or template is at its line, where the text is a literal block. */
export function problemPosition(problem: Problem, { object, positionOf }: LocatedManifest): string {
  const path = /^[^\s:]*/.exec(problem.at)?.[0] ?? "";
  const line = lineNamedBy(problem, path);
  return positionText(positionOf(path, line === undefined ? undefined : Math.min(line, lineCountAt(object, path))));
}

/** Fields with Lua. */
const isScript = /(\.(script|evaluate|aggregatedSelection)|^(data|stringData)\[.*\])$/;

/** Templates name the line behind the path, Lua before the message. */
function lineNamedBy({ at, message }: Problem, path: string): number | undefined {
  const named = /:(\d+)(:\d+)?$/.exec(at) ?? (isScript.test(path) ? /^[^:]*:(\d+): /.exec(message) : null);
  return named === null ? undefined : Number(named[1]);
}

/** Lua names the line behind the last one when something is missing at the end. */
function lineCountAt(object: unknown, path: string): number {
  let value = object;
  for (const step of parsePath(path))
    value = Array.isArray(value) ? value[Number(step)] : isFields(value) ? value[String(step)] : undefined;
  return typeof value === "string" ? value.trimEnd().split("\n").length : 1;
}
