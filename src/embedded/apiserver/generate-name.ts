/** The alphabet of generated names, without vowels. Models apimachinery pkg/util/rand/rand.go */
const letters = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
const longestPrefix = 63 - suffixLength;

/** The prefix with a random suffix. Models apiserver pkg/storage/names/generate.go */
export function generateName(prefix: string, random: () => number): string {
  let name = prefix.slice(0, longestPrefix);
  for (let at = 0; at < suffixLength; at++) name += letters[Math.floor(random() * letters.length)];
  return name;
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A version 4 UUID from a seeded source. Every object and Event needs one, so it is built from whole bytes. */
export function generateUid(random: () => number): string {
  const [a, b, c, d] = [random() * 2 ** 32, random() * 2 ** 32, random() * 2 ** 32, random() * 2 ** 32];
  const version = (b & 0xffff0fff) | 0x4000;
  const variant = (c & 0x3fffffff) | 0x80000000;
  const [e, f, g] = [digits(version), digits(variant), digits(d)];
  return `${digits(a)}-${e.slice(0, 4)}-${e.slice(4)}-${f.slice(0, 4)}-${f.slice(4)}${g}`;
}

/** Eight hexadecimal digits. */
function digits(value: number): string {
  return bytes[(value >>> 24) & 255]! + bytes[(value >>> 16) & 255]! + bytes[(value >>> 8) & 255]! + bytes[value & 255]!;
}
