export const topFields: readonly string[] = ["apiVersion", "kind", "metadata"];
export const metadataFields: readonly string[] = ["name", "annotations"];

/** The field that encoding/json matches with a key, ignoring case. */
export function fieldOf(key: string, fields: readonly string[]): string | undefined {
  for (const field of fields) if (key === field || (key.length === field.length && folded(key) === folded(field))) return field;
  return undefined;
}

function folded(text: string): string {
  return text.replaceAll("\u212A", "k").replaceAll("\u017F", "s").toLowerCase();
}
