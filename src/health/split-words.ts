/** Splits a name into lower-case words: `DNSReady`, `dns_ready` and `DNS ready` all give dns, ready. */
export function splitWords(name: string): readonly string[] {
  const spaced = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replaceAll(/n['’]t\b/g, " not");
  return spaced.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
}
