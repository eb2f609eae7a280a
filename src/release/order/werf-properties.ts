/** The entries of `key=value,other,no-more`: a text, or a boolean for a bare key. */
type WerfProperties = ReadonlyMap<string, string | boolean>;

/**
 * Parses werf's property lists: comma-separated entries, bare or quoted values, a bare key for true and one that begins
 * with `no` for false. Skips empty entries; the last entry of a key wins. Never fails.
 */
export function parseWerfProperties(text: string): WerfProperties {
  const properties = new Map<string, string | boolean>();
  let at = 0;
  while (at < text.length) {
    const key = /[^,=]*/y;
    key.lastIndex = at;
    const name = key.exec(text)![0];
    at += name.length;
    const label = name.trim().toLowerCase();
    if (text[at] !== "=") {
      if (label !== "") addBare(properties, label);
      at++;
      continue;
    }
    const { value, next } = valueFrom(text, at + 1);
    if (label !== "") properties.set(label, value);
    at = next;
  }
  return properties;
}

function addBare(properties: Map<string, string | boolean>, label: string): void {
  if (label.startsWith("no") && label.length > 2) properties.set(label.slice(2), false);
  else properties.set(label, true);
}

/** The value at this index, and the index of the next entry. */
function valueFrom(text: string, from: number): { value: string; next: number } {
  const start = from + /^\s*/.exec(text.slice(from))![0].length;
  const quote = text[start];
  if (quote === '"' || quote === "'") {
    const close = closingQuote(text, start + 1, quote);
    if (close !== undefined) return { value: text.slice(start + 1, close), next: entryAfter(text, close + 1) };
  }
  const end = entryAfter(text, start);
  return { value: text.slice(start, end > text.length ? text.length : end - 1).trim(), next: end };
}

/** An escaped quote does not close; its backslash stays in the value. */
function closingQuote(text: string, from: number, quote: string): number | undefined {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) if (text[at - 1] !== "\\") return at;
  return undefined;
}

function entryAfter(text: string, from: number): number {
  const comma = text.indexOf(",", from);
  return (comma < 0 ? text.length : comma) + 1;
}
