import { GoError } from "../../lang/template/index.ts";

/** What stops the reading of a line: its end, at any place where it may end, or something that is wrong with it. */
export type ParseStop = { readonly message: string; readonly isEnd: boolean };

export const endOfInput: ParseStop = { message: "EOF", isEnd: true };

export function parseError(message: string): ParseStop {
  return { message, isEnd: false };
}

/** The end stays the end, whatever is said around it. */
export function wrapStop(doing: string, stop: ParseStop): ParseStop {
  return { message: `${doing}: ${stop.message}`, isEnd: stop.isEnd };
}

/** A value that has another shape than the path wants. Go panics, and Helm says so. */
export class WrongShape extends GoError {
  constructor(found: string, wanted: string) {
    super(`unable to parse key: interface conversion: interface {} is ${found}, not ${wanted}`);
  }
}
