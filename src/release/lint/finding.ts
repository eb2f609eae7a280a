/** One finding of the linter: an `error` will probably fail, a `warning` is probably a mistake, an `info` is a recommendation. */
export type ChartFinding = { readonly severity: "error" | "warning" | "info"; readonly at: string; readonly message: string };

/** A finding, unless the message is undefined. */
export function finding(severity: ChartFinding["severity"], at: string, message: string | undefined): readonly ChartFinding[] {
  return message === undefined ? [] : [{ severity, at, message }];
}
