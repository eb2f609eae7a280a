/** A file that can be read in parts: a line of JSON for the index, then a line `name JSON` for each part. */
export function indexedLines(index: unknown, pieces: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(pieces).map(([name, piece]) => `${name} ${JSON.stringify(piece)}`);
  return [JSON.stringify(index), ...lines].join("\n");
}
