import type { Program } from "./program.ts";

/** The class of the character at a position of a text; that of the edge at its end. */
export function classAt({ classes, classOf }: Program, text: string, at: number): number {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined ? classes - 1 : classOf(codePoint);
}

/** The class of the character before a position of a text; that of the edge at its start. */
export function classBefore(program: Program, text: string, at: number): number {
  if (at === 0) return program.classes - 1;
  const isPair = (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return classAt(program, text, isPair ? at - 2 : at - 1);
}
