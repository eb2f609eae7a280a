/** One document of a stream as text, and how many lines stand before it. */
export type DocumentText = { readonly text: string; readonly linesBefore: number };

/** A marker counts at the beginning of a line only, so one that is indented inside of a block scalar is text. */
const marker = /(?<![^\n])(---|\.\.\.)(?![^ \t\r\n])/g;

/**
 * Parts a stream into documents. They are parted before they are parsed, so that one that is broken does not take the
 * others with it.
 */
export function splitDocuments(stream: string): DocumentText[] {
  const text = stream.startsWith("\uFEFF") ? stream.slice(1) : stream;
  const chunks: DocumentText[] = [];
  let from = 0;
  let line = 0;
  const cut = (to: number) => {
    const part = text.slice(from, to);
    chunks.push({ text: part, linesBefore: line });
    line += linesIn(part);
    from = to;
  };
  for (const { 1: sign, index } of text.matchAll(marker)) {
    if (sign === "...") cut(index + sign.length);
    else if (!hasOnlyDirectives(text.slice(from, index))) cut(index);
  }
  cut(text.length);
  return chunks.filter((chunk) => !isBlank(chunk.text));
}

/** A `%YAML` line belongs to the document that the next `---` begins. */
function hasOnlyDirectives(text: string): boolean {
  const lines = text.split("\n").filter((line) => !/^[ \t\r]*(#|$)/.test(line));
  return lines.length > 0 && lines.every((line) => line.startsWith("%"));
}

function isBlank(text: string): boolean {
  return text.split("\n").every((line) => /^(---|\.\.\.)?[ \t\r]*(#|$)/.test(line));
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
