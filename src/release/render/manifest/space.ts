/** What Go takes for space. JavaScript's own notion is a little different. */
const leading = /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/;
const trailing = /[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+$/;
const anythingElse = /[^\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;

export function trimLeft(text: string): string {
  return text.replace(leading, "");
}

/** Models Go's strings.TrimSpace */
export function trimSpace(text: string): string {
  const started = trimLeft(text);
  // A search for trailing space from the left is slow in long texts: look at the end first.
  return anythingElse.test(started.slice(-1)) ? started : started.replace(trailing, "");
}

export function isBlank(text: string): boolean {
  return !anythingElse.test(text);
}
