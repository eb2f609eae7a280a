import { hashAnnotation } from "../api/index.ts";
import { isFields, type KubeObject } from "../../core/object/index.ts";
import { concealed } from "../../release/conceal/index.ts";
import { writeYaml } from "../../lang/yaml/index.ts";

/** The number of unchanged lines around a change. */
const context = 3;
const none = { whole: false, paths: [] };
type Line = { readonly sign: " " | "-" | "+"; readonly text: string };

/**
 * A unified diff of an object as YAML under `object:`, as Sveltos' ClusterReports have it. The hash annotation and the values of
 * Secrets are left out.
 */
export function diffText(live: KubeObject, next: KubeObject): string {
  const title = `${live.kind} ${live.metadata.name}`;
  const lines = difference(linesOf(live), linesOf(withHashOf(live, next), live));
  return [`--- deployed: ${title}`, `+++ proposed: ${title}`, ...hunks(lines), ""].join("\n");
}

function withHashOf(live: KubeObject, next: KubeObject): KubeObject {
  const hash = live.metadata.annotations?.[hashAnnotation];
  const annotations = { ...next.metadata.annotations, ...(hash === undefined ? {} : { [hashAnnotation]: hash }) };
  return Object.keys(annotations).length === 0 ? next : { ...next, metadata: { ...next.metadata, annotations } };
}

function linesOf(object: KubeObject, before?: KubeObject): readonly string[] {
  const sensitive = { ...none, whole: object.kind === "Secret" };
  const { managedFields: _fields, generation: _generation, ...metadata } = object.metadata;
  return ["object:", ...indented(concealed({ ...object, metadata }, sensitive, before), 4)];
}

/** YAML with an indent of four, for lists too. */
function indented(value: unknown, by: number): readonly string[] {
  const pad = " ".repeat(by);
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item: unknown) => {
      const [first = "", ...rest] = indented(item, by + 2);
      return [`${pad}- ${first.trimStart()}`, ...rest];
    });
  }
  if (isFields(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, item]) => entry(key, item, by));
  }
  return writeYaml(value)
    .trimEnd()
    .split("\n")
    .map((line) => `${pad}${line}`);
}

function entry(key: string, value: unknown, by: number): readonly string[] {
  const name = `${" ".repeat(by)}${writeYaml(key).trimEnd()}:`;
  const isNested = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (isNested) return [name, ...indented(value, by + 4)];
  const [first = "", ...rest] = writeYaml({ k: value }).trimEnd().split("\n");
  return [`${name}${first.slice(2)}`, ...rest.map((line) => `${" ".repeat(by + 2)}${line}`)];
}

/** By the longest common subsequence, after the common head and tail. */
function difference(a: readonly string[], b: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const middle = compared(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...signed(" ", a.slice(0, head)), ...middle, ...signed(" ", a.slice(a.length - tail))];
}

function signed(sign: Line["sign"], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ sign, text }));
}

/** The largest comparison; anything larger is shown as removed and added. */
const maxCells = 4_000_000;

function compared(a: readonly string[], b: readonly string[]): readonly Line[] {
  if (a.length * b.length > maxCells) return [...signed("-", a), ...signed("+", b)];
  const common = Array.from({ length: a.length + 1 }, () => new Int32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: " ", text: a[i]! });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) lines.push({ sign: "-", text: a[i++]! });
    else lines.push({ sign: "+", text: b[j++]! });
  }
  return lines;
}

function hunks(lines: readonly Line[]): readonly string[] {
  const changed = lines.flatMap(({ sign }, at) => (sign === " " ? [] : [at]));
  const groups: { from: number; to: number }[] = [];
  for (const at of changed) {
    const last = groups.at(-1);
    if (last !== undefined && at - last.to <= 2 * context) last.to = at;
    else groups.push({ from: at, to: at });
  }
  return groups.flatMap(({ from, to }) => {
    const [first, end] = [Math.max(0, from - context), Math.min(lines.length, to + context + 1)];
    const shown = lines.slice(first, end);
    return [
      `@@ -${range(lines, first, shown, "+")} +${range(lines, first, shown, "-")} @@`,
      ...shown.map(({ sign, text }) => `${sign}${text}`),
    ];
  });
}

/** The line range of one side, without the lines of the other. */
function range(lines: readonly Line[], first: number, shown: readonly Line[], other: "+" | "-"): string {
  const before = lines.slice(0, first).filter(({ sign }) => sign !== other).length;
  const count = shown.filter(({ sign }) => sign !== other).length;
  return `${count === 0 ? before : before + 1},${count}`;
}
