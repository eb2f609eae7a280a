import { GoError } from "../../lang/template/index.ts";

/** Why parsing stopped: the end of the line at a valid place, or an error. */
export type ParseStop = { readonly message: string; readonly isEnd: boolean };

export const endOfInput: ParseStop = { message: "EOF", isEnd: true };

export function parseError(message: string): ParseStop {
  return { message, isEnd: false };
}

/** Adds context to an error. The end of the line stays as it is. */
export function wrapStop(doing: string, stop: ParseStop): ParseStop {
  return { message: `${doing}: ${stop.message}`, isEnd: stop.isEnd };
}

/** A value whose shape does not fit the path. Go panics, and Helm reports the panic. */
export class WrongShape extends GoError {
  constructor(found: string, wanted: string) {
    super(`unable to parse key: interface conversion: interface {} is ${found}, not ${wanted}`);
  }
}
