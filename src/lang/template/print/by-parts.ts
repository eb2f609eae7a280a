/** Longer texts are changed in parts. */
const partLength = 2 ** 14;

/**
 * Changes a text character by character, in parts. An engine that replaces gathers all matches of a text first, a hundred bytes for
 * each: those of some megabytes of quotation marks took gigabytes.
 */
export function byParts(text: string, change: (part: string) => string): string {
  if (text.length <= partLength) return change(text);
  let out = "";
  for (let from = 0; from < text.length;) {
    const last = text.charCodeAt(from + partLength - 1);
    // Both halves of a surrogate pair are in one part.
    const end = from + partLength + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    out += change(text.slice(from, end));
    from = end;
  }
  return out;
}
