import { isBlank, trimLeft, trimSpace } from "./go-space.ts";

/**
 * The documents of a rendered file. Helm 4 keeps trailing space, and its separator needs no line end. Models helm
 * pkg/release/v1/util SplitManifests
 */
export function splitRenderedFile(text: string, helm: 3 | 4): readonly string[] {
  if (helm === 3) return trimSpace(text).split(thirdSeparator).filter(Boolean).map(trimSpace);
  return partsOf(trimLeft(text))
    .filter((part) => !isBlank(part))
    .map(trimLeft);
}

const thirdSeparator = /(?:^|[\t\n\f\r ]*\n)---[\t\n\f\r ]*/;

function partsOf(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = separatorFrom(text, 0); at >= 0; at = separatorFrom(text, from)) {
    parts.push(text.slice(from, at));
    from = at + 3;
    while (text[from] === " " || text[from] === "\t") from++;
  }
  parts.push(text.slice(from));
  return parts;
}

/** Three hyphens at the start of a line. */
function separatorFrom(text: string, from: number): number {
  if (from === 0 && text.startsWith("---")) return 0;
  // The line may start exactly here.
  const at = text.indexOf("\n---", Math.max(0, from - 1));
  return at < 0 ? -1 : at + 1;
}
