/** The length of a base64 line. */
const lineLength = 70;

/** Writes a string that is not UTF-8 as go-yaml v3 does: as base64, on separate lines if it is long. Invalid bytes are U+DC80 to U+DCFF. */
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
