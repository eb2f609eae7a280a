import { GoError } from "../../lang/template/index.ts";

/** What stops the reading of a line: its end, at any place where it may end, or something that is wrong with it. */
export type Stop = { readonly message: string; readonly isEnd: boolean };

export const end: Stop = { message: "EOF", isEnd: true };

export function wrong(message: string): Stop {
  return { message, isEnd: false };
}

/** The end stays the end, whatever is said around it. */
export function within(doing: string, stop: Stop): Stop {
  return { message: `${doing}: ${stop.message}`, isEnd: stop.isEnd };
}

/** A value that has another shape than the path wants. Go panics, and Helm says so. */
export class WrongShape extends GoError {
  constructor(found: string, wanted: string) {
    super(`unable to parse key: interface conversion: interface {} is ${found}, not ${wanted}`);
  }
}
