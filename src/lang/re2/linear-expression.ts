import { areDisjoint, complement, includesAll, setSource, union, type CodePointSet } from "./code-point-set.ts";
import { loopIn, type Loop, type Pattern } from "./pattern.ts";

const maxPaths = 64;

/**
 * The source of a JavaScript RegExp, with the flag `u`, that finds what RE2 finds and takes time in proportion to the text; undefined
 * where that cannot be shown. JavaScript tries one way after another and from every position, so a pattern may have
 *
 * - pieces of bounded length, with few ways to match;
 * - loops over one set of characters. After a loop nothing can fail, or what follows begins with none of its characters: giving back
 *   is then of no use, and ends at once. Before a loop there is none of its characters, so that each stretch of text is looped over
 *   from its beginning only. At the beginning of a pattern a look behind makes it so: a match that begins inside of a
 *   stretch would begin further left.
 */
export function linearSource(pattern: Pattern): string | undefined {
  const branches = pattern.type === "alternation" ? pattern.branches : [pattern];
  const parts = branches.map(flattened);
  if (parts.some((items) => items === undefined)) return undefined;
  const flat = parts as readonly (readonly Pattern[])[];
  // Between the halves of a surrogate pair JavaScript finds what matches nothing.
  if (flat.some((items) => items.every(isNullable) || !isLinear(items)) || flat.reduce((sum, items) => sum + product(items), 0) > maxPaths)
    return undefined;
  const starts = flat.map(startLoop);
  for (const start of starts) if (start !== undefined && !flat.every((items) => canFollow(items, start))) return undefined;
  return branches.map((branch, index) => lookBehind(starts[index]) + sourceOf(branch)).join("|");
}

function lookBehind(start: Loop | undefined): string {
  return start === undefined ? "" : `(?<!${setSource(start.set)})`;
}

/** The items of a sequence with those of its groups; undefined if a loop is inside of something else. */
function flattened(pattern: Pattern): readonly Pattern[] | undefined {
  switch (pattern.type) {
    case "sequence": {
      const items = pattern.items.map(flattened);
      return items.some((each) => each === undefined) ? undefined : items.flatMap((each) => each ?? []);
    }
    case "group":
      return pattern.body.type === "alternation" ? (isBounded(pattern) ? [pattern] : undefined) : flattened(pattern.body);
    default:
      return loopIn(pattern) !== undefined || isBounded(pattern) ? [pattern] : undefined;
  }
}

/** Whether the length of a match is bounded, and a repetition means the same in JavaScript. */
function isBounded(pattern: Pattern): boolean {
  switch (pattern.type) {
    case "set":
    case "assertion":
      return true;
    case "sequence":
      return pattern.items.every(isBounded);
    case "alternation":
      return pattern.branches.every(isBounded);
    case "group":
      return isBounded(pattern.body);
    case "repeat":
      // JavaScript forgets at each turn what a group inside captured, and drops a turn that matches nothing.
      return (
        pattern.max !== Infinity && isBounded(pattern.body) && !isNullable(pattern.body) && (pattern.max <= 1 || !captures(pattern.body))
      );
  }
}

function captures(pattern: Pattern): boolean {
  switch (pattern.type) {
    case "set":
    case "assertion":
      return false;
    case "sequence":
      return pattern.items.some(captures);
    case "alternation":
      return pattern.branches.some(captures);
    case "group":
      return pattern.isCaptured || captures(pattern.body);
    case "repeat":
      return captures(pattern.body);
  }
}

function isLinear(items: readonly Pattern[]): boolean {
  return items.every((item, index) => {
    const loop = loopIn(item);
    if (loop === undefined) return true;
    const after = afterLoop(loop, items.slice(index + 1));
    if (!after.some(canFail)) return true;
    const before = items.slice(0, index);
    return areDisjoint(loop.set, firstOf(after)) && beginsStretch(loop, before);
  });
}

/** What follows a loop, without an assertion that always holds when the loop has ended: `$` for lines after `.*`. */
function afterLoop({ set, isLazy }: Loop, after: readonly Pattern[]): readonly Pattern[] {
  const [next] = after;
  const holds = next?.type === "assertion" && next.ahead !== undefined && includesAll(next.ahead, complement(set));
  return holds && !isLazy ? after.slice(1) : after;
}

/**
 * Whether a loop begins where a stretch of its characters does, after these items. At the start of a text it is tried once, and at
 * that of a branch it has a look behind.
 */
function beginsStretch({ set }: Loop, before: readonly Pattern[]): boolean {
  const [first] = before;
  if (first === undefined || (first.type === "assertion" && first.behind?.length === 0)) return true;
  if (!before.every(isNullable)) return areDisjoint(set, lastOf(before));
  return (
    before.every(({ type }) => type === "assertion") &&
    first.type === "assertion" &&
    first.behind !== undefined &&
    areDisjoint(set, first.behind)
  );
}

/** Whether something may not match once those before it have. */
function canFail(item: Pattern): boolean {
  return !(item.type === "repeat" && item.min === 0);
}

/** The loop that a branch begins with, if something after it can fail. */
function startLoop([first, ...after]: readonly Pattern[]): Loop | undefined {
  const loop = first === undefined ? undefined : loopIn(first);
  return loop !== undefined && after.some(canFail) ? loop : undefined;
}

/** Whether a search that goes on after a match of these items may look behind for a loop: it must not see what was matched. */
function canFollow(items: readonly Pattern[], start: Loop): boolean {
  const last = items.at(-1);
  if (start.min > 0 && last?.type === "assertion" && last.ahead !== undefined && areDisjoint(last.ahead, start.set)) return true;
  const final = last === undefined ? undefined : loopIn(last);
  if (final !== undefined && !final.isLazy && start.min > 0 && includesAll(final.set, start.set)) return true;
  return areDisjoint(lastOf(items), start.set);
}

function product(items: readonly Pattern[]): number {
  return items.reduce((paths, item) => paths * pathsOf(item), 1);
}

/** At most so many ways there are to match from one position. */
function pathsOf(pattern: Pattern): number {
  switch (pattern.type) {
    case "set":
    case "assertion":
      return 1;
    case "sequence":
      return product(pattern.items);
    case "alternation":
      return pattern.branches.reduce((sum, branch) => sum + pathsOf(branch), 0);
    case "group":
      return pathsOf(pattern.body);
    case "repeat": {
      if (pattern.max === Infinity) return 1;
      const paths = pathsOf(pattern.body);
      let sum = 0;
      for (let count = pattern.min; count <= pattern.max; count++) sum += paths ** count;
      return sum;
    }
  }
}

function isNullable(pattern: Pattern): boolean {
  switch (pattern.type) {
    case "set":
      return false;
    case "assertion":
      return true;
    case "sequence":
      return pattern.items.every(isNullable);
    case "alternation":
      return pattern.branches.some(isNullable);
    case "group":
      return isNullable(pattern.body);
    case "repeat":
      return pattern.min === 0 || isNullable(pattern.body);
  }
}

function firstOf(items: readonly Pattern[]): CodePointSet {
  return outermost(items, (item) => firstOf([item]));
}

function lastOf(items: readonly Pattern[]): CodePointSet {
  return outermost(items.toReversed(), (item) => lastOf([item]));
}

/** The characters that the first of these items which matches one may match at its near end. */
function outermost(items: readonly Pattern[], inside: (item: Pattern) => CodePointSet): CodePointSet {
  const sets: CodePointSet[] = [];
  for (const item of items) {
    sets.push(nearEnd(item, inside));
    if (!isNullable(item)) break;
  }
  return union(...sets);
}

function nearEnd(item: Pattern, inside: (item: Pattern) => CodePointSet): CodePointSet {
  switch (item.type) {
    case "set":
      return item.set;
    case "assertion":
      return [];
    case "sequence":
      return union(...item.items.map(inside));
    case "alternation":
      return union(...item.branches.map(inside));
    case "group":
    case "repeat":
      return inside(item.body);
  }
}

function sourceOf(pattern: Pattern): string {
  switch (pattern.type) {
    case "set":
      return setSource(pattern.set);
    case "assertion":
      return pattern.source;
    case "sequence":
      return pattern.items.map(sourceOf).join("");
    case "alternation":
      return pattern.branches.map(sourceOf).join("|");
    case "group":
      return `(${pattern.isCaptured ? "" : "?:"}${sourceOf(pattern.body)})`;
    case "repeat": {
      const { min, max, isLazy } = pattern;
      const counts = max === Infinity ? `{${min},}` : `{${min},${max}}`;
      return sourceOf(pattern.body) + counts + (isLazy ? "?" : "");
    }
  }
}
