/** An error and its position. `at` is an index into the source; -1 means no position. */
export type Issue = { readonly at: number; readonly message: string };

/** How many issues are repeated where an expression is used twice. */
export const mostIssues = 100;

const longestSnippet = 16_384;

/** Prints issues as cel-go does: sorted by position, each with its source line and a marker below it. */
export function printIssues(source: string, issues: readonly Issue[]): string {
  const sorted = issues.toSorted((a, b) => a.at - b.at);
  return sorted.map((issue) => printIssue(source, issue)).join("\n");
}

function printIssue(source: string, { at, message }: Issue): string {
  if (at < 0) return `ERROR: <input>:-1:0: ${message}`;
  const before = source.slice(0, at).split("\n");
  const column = [...(before.at(-1) ?? "")].length;
  const line = source.split("\n")[before.length - 1] ?? "";
  const heading = `ERROR: <input>:${before.length}:${column + 1}: ${message}`;
  if (line.length > longestSnippet) return heading;
  const characters = [...line.replaceAll("\t", " ")];
  const dots = characters.slice(0, column).map((character) => (isWide(character) ? "．" : "."));
  const mark = isWide(characters[column] ?? "") ? "＾" : "^";
  return `${heading}\n | ${characters.join("")}\n | ${dots.join("")}${mark}`;
}

/** Characters of more than one byte in UTF-8 get wide markers. */
function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
