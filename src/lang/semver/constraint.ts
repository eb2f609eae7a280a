import { comparisons, type Bound, type Operator } from "./comparison.ts";
import { parseVersion, type Version } from "./version.ts";

/** A version constraint: any group must match, and of a group every bound. */
export type Constraint = { readonly groups: readonly Group[] };

type Group = {
  readonly bounds: readonly Bound[];
  /** A group matches prereleases only if one of its bounds has one. */
  readonly takesPrereleases: boolean;
};

const longestConstraint = 512;
const mostGroups = 32;

// RE2's \s. JavaScript's matches more.
const space = "[\\t\\n\\f\\r ]";
const part = "[0-9|xX*]+";
// A patch is looked for after a minor only: of two optional parts beside each other, either could be the second number.
const version = `v?(${part})(?:(\\.${part})(\\.${part})?)?(-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?`;
const operator = "!=|>=|=>|<=|=<|~>|=|>|<|~|\\^";
// The pattern is unambiguous, so untrusted text costs linear time.
const bound = `(?:(?:${operator})${space}*)?${version}`;

const valid = new RegExp(`^${space}*${bound}(?:(?:${space}+(?:,${space}*)?|,${space}*)${bound})*${space}*$`);
const each = new RegExp(`(${operator})?${space}*(${version})`, "g");
const range = new RegExp(`${space}*(${version})${space}+-${space}+(${version})${space}*`, "g");

/** Parses a constraint: `>=1.20-0, <2 || ~3.1`. */
export function parseConstraint(text: string): Constraint {
  if (Buffer.byteLength(text) > longestConstraint) throw new Error(`constraint string is too long (max ${longestConstraint} bytes)`);
  const groups = withoutRanges(text).split("||");
  if (groups.length > mostGroups) throw new Error(`too many constraint groups (max ${mostGroups})`);
  return { groups: groups.map(parseGroup) };
}

/** Whether a version satisfies a constraint. */
export function satisfies(version: Version, { groups }: Constraint): boolean {
  return groups.some(
    ({ bounds, takesPrereleases }) =>
      (version.prerelease === "" || takesPrereleases) && bounds.every((bound) => comparisons[bound.operator](version, bound)),
  );
}

function parseGroup(text: string): Group {
  if (!valid.test(text)) throw new Error(`improper constraint: ${quoted(text)}`);
  const bounds = [...text.matchAll(each)].map(parseBound);
  return { bounds, takesPrereleases: bounds.some(({ version }) => version.prerelease !== "") };
}

function parseBound(found: RegExpExecArray): Bound {
  const [, operator = "", text = "", major = "", minor = "", patch = "", prerelease = ""] = found;
  const open = openPart(major, minor, patch);
  const filled = {
    major: `0.0.0${prerelease}`,
    minor: `${major}.0.0${prerelease}`,
    patch: `${major}${minor}.0${prerelease}`,
    nothing: text,
  }[open];
  try {
    return { operator: operator as Operator, version: parseVersion(filled), open };
  } catch (cause) {
    throw new Error("constraint parser error", { cause });
  }
}

/** The first part that is missing or a wildcard. */
function openPart(major: string, minor: string, patch: string): Bound["open"] {
  if (isWildcard(major)) return "major";
  if (minor === "" || isWildcard(minor.slice(1))) return "minor";
  if (patch === "" || isWildcard(patch.slice(1))) return "patch";
  return "nothing";
}

function isWildcard(part: string): boolean {
  return part === "x" || part === "X" || part === "*";
}

/** Rewrites `1.2 - 2.3` as two bounds. */
function withoutRanges(text: string): string {
  let written = text;
  for (const found of text.matchAll(range)) written = written.replace(found[0], () => `>= ${found[1]}, <= ${found[7]} `);
  return written;
}

/** Quotes as Go does. Everything but letters, marks, numbers, punctuation and symbols is escaped. */
function quoted(text: string): string {
  return `"${Array.from(text, escaped).join("")}"`;
}

function escaped(character: string): string {
  if (/^[ -~\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)) return character === '"' || character === "\\" ? `\\${character}` : character;
  const short = JSON.stringify(character).slice(1, -1);
  if (/^\\[bfnrt]$/.test(short)) return short;
  const point = character.codePointAt(0) ?? 0;
  // A lone surrogate stands for a byte that is not UTF-8.
  if (point >= 0xdc80 && point <= 0xdcff) return `\\x${(point - 0xdc00).toString(16)}`;
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, "0")}`;
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
}
