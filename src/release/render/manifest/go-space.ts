/** What Go counts as space, which differs from JavaScript. */
const leading = /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/;
const anythingElse = /[^\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;

export function trimLeft(text: string): string {
  return text.replace(leading, "");
}

/** Models Go's strings.TrimSpace */
export function trimSpace(text: string): string {
  // Backwards by character: a regular expression would scan a long text from its start.
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1]!)) end--;
  return trimLeft(text.slice(0, end));
}

export function isBlank(text: string): boolean {
  return !anythingElse.test(text);
}
