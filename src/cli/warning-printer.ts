import type { Terminal } from "./terminal.ts";

/** Prints warnings to standard error. */
export function warningPrinter({ err, paint }: Terminal): (warning: string) => void {
  return (warning) => err(paint.warn(`warning: ${warning}`));
}
