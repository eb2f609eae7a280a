/** Go prints `<no value>` for missing values; Helm removes it from every output. */
export function withoutNoValue(text: string): string {
  return text.includes("<no value>") ? text.replaceAll("<no value>", "") : text;
}
