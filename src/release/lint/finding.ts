/** What is to be said about a chart: `error` will hardly work, `warning` will hardly be meant, `info` could be better. */
export type ChartFinding = { readonly severity: "error" | "warning" | "info"; readonly at: string; readonly message: string };

/** A finding, if there is something to say. */
export function finding(severity: ChartFinding["severity"], at: string, message: string | undefined): readonly ChartFinding[] {
  return message === undefined ? [] : [{ severity, at, message }];
}
