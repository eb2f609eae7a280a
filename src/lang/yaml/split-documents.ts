/** The text of one document, and the number of lines before it. */
export type DocumentText = { readonly text: string; readonly linesBefore: number };

/** A marker counts only at the beginning of a line, so an indented one in a block scalar is text. */
const marker = /(?<![^\n])(---|\.\.\.)(?![^ \t\r\n])/g;

/** Splits a stream into documents before parsing, so that an invalid document does not affect the others. */
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

/** A `%YAML` line belongs to the document of the next `---`. */
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
