/** Letters and digits that spell no words. Models apimachinery pkg/util/rand/rand.go */
const letters = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const longestPrefix = 63 - suffixLength;

/** A name with a random end, as generateName asks for. Models apiserver pkg/storage/names/generate.go */
export function generatedName(prefix: string, random: () => number): string {
  let name = prefix.slice(0, longestPrefix);
  for (let at = 0; at < suffixLength; at++) name += letters[Math.floor(random() * letters.length)];
  return name;
}

/** A version 4 UUID out of a seeded source. */
export function generatedUid(random: () => number): string {
  const [a, b, c, d] = [eightDigits(random), eightDigits(random), eightDigits(random), eightDigits(random)];
  const variant = "89ab"[parseInt(c[0]!, 16) & 3];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

function eightDigits(random: () => number): string {
  return Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
}
