/** Characters that would change how a text is drawn, or that cannot be seen. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with control characters made visible, such as `␛` for an escape. */
export function visible(text: string): string {
  return text.replaceAll(invisible, (character) => {
    const code = character.codePointAt(0)!;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : "\u{fffd}";
  });
}

/** Shortens a text in the middle, so that both its ends can be read. `widthOf` measures a text. */
export function shorten(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text;
  const characters = [...text];
  const kept = (count: number) =>
    `${characters.slice(0, Math.ceil(count / 2)).join("")}…${characters.slice(characters.length - Math.floor(count / 2)).join("")}`;
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (widthOf(kept(middle)) <= width) fits = middle;
    else tooMany = middle;
  }
  return kept(fits);
}
