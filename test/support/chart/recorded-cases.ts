import { GoList, GoMap, Integer, toPlain, type GoValue } from "../../../src/lang/template/index.ts";
import type { ChartFile } from "../../../src/chart/index.ts";

/** One recorded case per line: an input and the result of Helm 4.2.4. */
export function casesIn<Case>(lines: string): readonly Case[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
}

export function chartFiles(texts: Readonly<Record<string, string>>): readonly ChartFile[] {
  return Object.keys(texts)
    .toSorted()
    .map((name) => ({ name, data: Buffer.from(texts[name] ?? "") }));
}

/** JSON that distinguishes integers from floats. */
export function typedJson(value: GoValue): unknown {
  if (value instanceof Integer) return { $int: String(value.value) };
  if (value instanceof GoMap) return Object.fromEntries([...value].map(([key, element]) => [key, typedJson(element)]));
  return value instanceof GoList ? value.items.map(typedJson) : toPlain(value);
}
