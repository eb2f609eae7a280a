/** So many characters of base64 stand on a line. */
const lineLength = 70;

/**
 * A string that is no UTF-8 as go-yaml v3 writes it: as base64, on lines of its own if it is long. The bytes that are no
 * UTF-8 stand in it as U+DC80 to U+DCFF.
 */
export function binaryText(text: string, indent: number): string {
  const encoded = bytesOf(text).toString("base64");
  if (encoded.length < lineLength) return `!!binary ${encoded}`;
  const lines = encoded.match(new RegExp(`.{1,${lineLength}}`, "g")) ?? [];
  return `!!binary |${lines.map((line) => `\n${" ".repeat(indent)}${line}`).join("")}`;
}

function bytesOf(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (character) => {
      const unit = character.charCodeAt(0);
      return character.length === 1 && unit >= 0xdc80 && unit <= 0xdcff ? Buffer.of(unit - 0xdc00) : Buffer.from(character);
    }),
  );
}
