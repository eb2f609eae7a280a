/** Hashes a string to 32 bits. Models FNV-1a, with a final mix so that similar strings get distant values. */
function hash(text: string, seed = 0): number {
  let state = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state ^= state >>> 16;
  state = Math.imul(state, 0x85ebca6b);
  state ^= state >>> 13;
  state = Math.imul(state, 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** `digits` hexadecimal digits derived from `text`, for invented ids and digests. */
export function hexOf(text: string, digits: number): string {
  let hex = "";
  for (let part = 0; hex.length < digits; part++)
    hex += hash(text, part + 1)
      .toString(16)
      .padStart(8, "0");
  return hex.slice(0, digits);
}

/**
 * A number in [0, 1) for one question about one object. It depends on the seed, the object and the question only, so
 * the order in which pods are synced does not change a run.
 */
export type Chance = (question: string) => number;

export function chanceFor(seed: number, namespace: string, name: string): Chance {
  const own = (seed ^ hash(`${namespace}/${name}`)) >>> 0;
  return (question) => hash(question, own) / 2 ** 32;
}
