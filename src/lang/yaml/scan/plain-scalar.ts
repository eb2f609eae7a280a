import { afterSpaces, blank, blankOrEnd, characters, code, colon, flowStop, highSurrogate, lineBreak } from "./character.ts";
import type { TextCursor } from "./text-cursor.ts";

/**
 * Scans a plain scalar and the white space after it. Returns whether a line ended, after which a key may follow. Models
 * yaml_parser_scan_plain_scalar of go.yaml.in/yaml/v2 scannerc.go.
 */
export function scanPlainScalar(cursor: TextCursor, indent: number, isFlow: boolean): boolean {
  const { codes, text, words } = cursor;
  const stop = isFlow ? blankOrEnd | colon | highSurrogate | flowStop : blankOrEnd | colon | highSurrogate;
  let pos = cursor.pos;
  let to = pos;
  let segment = pos;
  let cooked: string | undefined;
  let firstBreak = "";
  let moreBreaks = "";
  cursor.from = pos;
  for (;;) {
    let found = codes[pos]!;
    cursor.pos = pos;
    if (found === code.hash || (pos === cursor.lineStart && cursor.isAtMarker())) break;
    const run = pos;
    for (;;) {
      while ((characters[found]! & stop) === 0) found = codes[++pos]!;
      if (found === code.colon) {
        found = codes[pos + 1]!;
        if ((characters[found]! & blankOrEnd) !== 0) break;
        pos++;
      } else if (found === code.highSurrogate) {
        cursor.lineStart++;
        cursor.astral++;
        pos += 2;
        found = codes[pos]!;
      } else break;
    }
    if (pos > run) {
      if (firstBreak !== "") {
        cooked = (cooked ?? "") + text.slice(segment, to) + foldBreaks(firstBreak, moreBreaks);
        segment = run;
        firstBreak = "";
        moreBreaks = "";
      }
      to = pos;
    }
    found = codes[pos]!;
    if ((characters[found]! & (blank | lineBreak)) === 0) break;
    for (;;) {
      if (found === code.newline) {
        cursor.line++;
        cursor.lineStart = ++pos;
        if (firstBreak === "") firstBreak = "\n";
        else moreBreaks += "\n";
        pos = afterSpaces(codes, words, pos);
      } else if (found === code.space) pos++;
      else if (found === code.tab) {
        cursor.pos = pos;
        if (firstBreak !== "" && pos - cursor.lineStart < indent) cursor.fail("found a tab character that violates indentation");
        pos++;
      } else if ((characters[found]! & lineBreak) !== 0) {
        cursor.pos = pos;
        if (firstBreak === "") firstBreak = cursor.passBreak();
        else moreBreaks += cursor.passBreak();
        pos = cursor.pos;
      } else break;
      found = codes[pos]!;
    }
    if (!isFlow && pos - cursor.lineStart < indent) break;
  }
  cursor.pos = pos;
  cursor.to = to;
  cursor.cooked = cooked === undefined ? undefined : cooked + text.slice(segment, to);
  return firstBreak !== "";
}

/** Folds the line breaks between two lines: one becomes a space, n become n - 1. */
export function foldBreaks(firstBreak: string, moreBreaks: string): string {
  if (firstBreak !== "\n") return firstBreak + moreBreaks;
  return moreBreaks === "" ? " " : moreBreaks;
}
