/**
 * What a terminal obeys instead of showing: control characters but tab and line feed, and those that reorder the text around
 * them. They come with logs, names, messages and notes, which anybody may have written.
 */
const obeyed = /(?![\t\n])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u;

/** A choice of colours, or one character that is obeyed. */
const obeyedParts = new RegExp(`\\u001B\\[([0-9;]*)m|${obeyed.source}`, "gu");

const resetStyle = "\u001B[0m";

/**
 * The text as a terminal may have it: colours stay, and end with their line; everything else that a terminal would obey is shown
 * (`\x1b[2J`), so that nothing can be hidden, overwritten or answered.
 */
export function harmlessText(text: string): string {
  return obeyed.test(text) ? text.split("\n").map(harmlessLine).join("\n") : text;
}

function harmlessLine(line: string): string {
  const style = new TextStyle();
  const shown = line
    .replace(/\r$/, "")
    .replace(obeyedParts, (part, codes: string | undefined) => (codes !== undefined && style.apply(codes) ? part : escaped(part)));
  return style.isPlain ? shown : `${shown}${resetStyle}`;
}

/** Shows the first character, which would be obeyed. */
function escaped(part: string): string {
  const code = part.charCodeAt(0);
  const escape = code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  return `${escape}${part.slice(1)}`;
}

/** Which choices of a line are open: weight, colour and the like. Concealed text is no choice. */
class TextStyle {
  readonly #open = new Set<string>();

  get isPlain(): boolean {
    return this.#open.size === 0;
  }

  /** Takes the codes of one sequence; false if one of them is not to be obeyed. */
  apply(codes: string): boolean {
    const numbers = codes.split(";").map(Number);
    for (let at = 0; at < numbers.length; at++) {
      const code = numbers[at]!;
      const isExtended = code === 38 || code === 48;
      const aspect = aspectOf(code);
      if (code === 0) this.#open.clear();
      else if (aspect === undefined) return false;
      else if (aspect.isOpen) this.#open.add(aspect.name);
      else this.#open.delete(aspect.name);
      if (isExtended) at += numbers[at + 1] === 5 ? 2 : 4;
    }
    return true;
  }
}

/** What a code of ECMA-48's SGR is about, and whether it sets it or puts it back. */
function aspectOf(code: number): { readonly name: string; readonly isOpen: boolean } | undefined {
  if (code === 39 || code === 49) return { name: code === 39 ? "foreground" : "background", isOpen: false };
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return { name: "foreground", isOpen: true };
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return { name: "background", isOpen: true };
  if (code === 1 || code === 2 || code === 22) return { name: "weight", isOpen: code !== 22 };
  if (code === 3 || code === 4 || code === 7 || code === 9) return { name: String(code), isOpen: true };
  if (code === 23 || code === 24 || code === 27 || code === 29) return { name: String(code - 20), isOpen: false };
  return undefined;
}
