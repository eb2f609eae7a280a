/** Whether `text` matches `pattern`, in which `*` matches any run of characters and `?` matches one. */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let read = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    if (read < pattern.length && (pattern[read] === "?" || (pattern[read] === text[at] && pattern[read] !== "*"))) {
      read++;
      at++;
    } else if (pattern[read] === "*") {
      star = read++;
      retry = at;
    } else if (star >= 0) {
      read = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[read] === "*") read++;
  return read === pattern.length;
}
