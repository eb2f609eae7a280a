/** A number or a boolean where the API server wants a string. Models structured-merge-diff, which names what it got. */
const unquoted = /: expected string, got &value[\w.]*\{Value:(?!map\[|\[|<nil>)/;

/** What the API server refuses, with what to do where that is plain. */
export function withRefusalAdvice(because: string): string {
  return unquoted.test(because) ? `${because}: put the value in quotes` : because;
}
