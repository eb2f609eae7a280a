import type { KubeObject } from "../core/object/index.ts";
import { concealed, type Sensitivity } from "../release/conceal/index.ts";
import { writeYaml } from "../lang/yaml/index.ts";
import type { Paint } from "./step-progress-line.ts";

/** How many unchanged lines are shown around a change. */
const context = 3;

/**
 * The changes of an object as a unified diff of YAML, with `...` for what is left out. Leaves out fields that only the server
 * writes and hides sensitive values, those of Secrets always. Empty when nothing changes.
 */
export function diffLines(
  live: KubeObject | undefined,
  next: KubeObject | undefined,
  sensitive: Sensitivity = { whole: false, paths: [] },
): string[] {
  return unified(linesOf(live, sensitive), linesOf(next, sensitive, live));
}

function linesOf(object: KubeObject | undefined, sensitive: Sensitivity, before?: KubeObject): readonly string[] {
  if (object === undefined) return [];
  const { status: _status, metadata, ...rest } = concealed(object, sensitive, before);
  const {
    managedFields: _fields,
    resourceVersion: _version,
    generation: _generation,
    uid: _uid,
    creationTimestamp: _time,
    ...kept
  } = metadata;
  return writeYaml({ ...rest, metadata: kept })
    .trimEnd()
    .split("\n");
}

type Line = { readonly sign: " " | "-" | "+"; readonly text: string };

function signed(sign: Line["sign"], texts: readonly string[]): readonly Line[] {
  return texts.map((text) => ({ sign, text }));
}

function unified(before: readonly string[], after: readonly string[]): string[] {
  const lines = difference(before, after);
  const near = new Set(
    lines.flatMap(({ sign }, at) => (sign === " " ? [] : Array.from({ length: 2 * context + 1 }, (_, by) => at - context + by))),
  );
  const shown: string[] = [];
  for (const [at, { sign, text }] of lines.entries()) {
    if (near.has(at)) shown.push(`${sign} ${text}`);
    else if (near.size > 0 && shown.at(-1) !== "...") shown.push("...");
  }
  return shown;
}

/** Strips the common beginning and end first, so that little is left to compare. */
function difference(a: readonly string[], b: readonly string[]): readonly Line[] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    ...signed(" ", a.slice(0, head)),
    ...compare(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...signed(" ", a.slice(a.length - tail)),
  ];
}

/** With more edits than this the shortest script is not searched for. */
const maxEdits = 1000;

/** The shortest edit script by Myers' greedy algorithm; all deletions and then all insertions when it would be long. */
function compare(a: readonly string[], b: readonly string[]): readonly Line[] {
  const replaced = () => [...signed("-", a), ...signed("+", b)];
  if (a.length === 0 || b.length === 0) return replaced();
  const furthest = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(a.length + b.length, maxEdits); edits++) {
    trail.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = start(furthest, diagonal, edits);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trail, a, b);
    }
  }
  return replaced();
}

/** Follows the path that is further along: down is an insertion, right is a deletion. */
function start(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  const [right, down] = [furthest.get(diagonal - 1) ?? -1, furthest.get(diagonal + 1) ?? -1];
  return diagonal === -edits || (diagonal !== edits && right < down) ? down : right + 1;
}

function walkBack(trail: readonly ReadonlyMap<number, number>[], a: readonly string[], b: readonly string[]): readonly Line[] {
  const lines: Line[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const furthest = trail[edits]!;
    const diagonal = x - y;
    const from = start(furthest, diagonal, edits);
    const came =
      edits > 0 &&
      from === (furthest.get(diagonal + 1) ?? -1) &&
      (diagonal === -edits || (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < from));
    while (x > Math.max(0, from) && y > Math.max(0, from - diagonal)) {
      lines.push({ sign: " ", text: a[--x]! });
      y--;
    }
    if (edits === 0) break;
    if (came) lines.push({ sign: "+", text: b[--y]! });
    else lines.push({ sign: "-", text: a[--x]! });
  }
  return lines.reverse();
}

/** Colours a line of a diff by its sign. */
export function paintDiffLine(line: string, paint: Paint): string {
  if (line.startsWith("+")) return paint.good(line);
  return line.startsWith("-") ? paint.bad(line) : paint.dim(line);
}
