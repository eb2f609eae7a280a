import { Fault } from "../../../src/core/fault/index.ts";

/** Splits a command line into words as a POSIX shell does, with quotes and backslashes but without variables and patterns. */
export function splitShellWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    const character = line[at]!;
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
    } else if (line.startsWith("\\\n", at)) {
      at += 2; // a continued line
    } else {
      const { text, next } = pieceAt(line, at);
      word = (word ?? "") + text;
      at = next;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

function pieceAt(line: string, at: number): { readonly text: string; readonly next: number } {
  switch (line[at]) {
    case "'": {
      const end = line.indexOf("'", at + 1);
      if (end < 0) throw new Fault(`read command ${line}`, "a quote is not closed");
      return { text: line.slice(at + 1, end), next: end + 1 };
    }
    case '"':
      return doubleQuoted(line, at + 1);
    case "\\":
      return { text: line[at + 1] ?? "", next: at + 2 };
    default: {
      const [text] = /^[^\s'"\\]+/.exec(line.slice(at)) ?? [line[at]!];
      return { text, next: at + text.length };
    }
  }
}

/** Within double quotes a backslash is literal, unless it precedes a special character. */
function doubleQuoted(line: string, from: number): { readonly text: string; readonly next: number } {
  let text = "";
  for (let at = from; at < line.length; at++) {
    const character = line[at]!;
    if (character === '"') return { text, next: at + 1 };
    const escaped = character === "\\" ? line[at + 1] : undefined;
    if (escaped !== undefined && '$`"\\\n'.includes(escaped)) {
      text += escaped === "\n" ? "" : escaped;
      at++;
    } else {
      text += character;
    }
  }
  throw new Fault(`read command ${line}`, "a quote is not closed");
}
