/** Go prints `<no value>` for what is not there; Helm takes the words out of every output, wherever they come from. */
export function withoutNoValue(text: string): string {
  return text.includes("<no value>") ? text.replaceAll("<no value>", "") : text;
}
