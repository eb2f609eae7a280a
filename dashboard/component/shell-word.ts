const plain = /^[A-Za-z0-9_./:@%+=,-]+$/;

/** A text as a word of a shell. */
export function shellWord(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
