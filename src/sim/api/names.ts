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
  const hex = (digits: number) => {
    let text = "";
    while (text.length < digits)
      text += Math.floor(random() * 0x10000)
        .toString(16)
        .padStart(4, "0");
    return text.slice(0, digits);
  };
  const variant = "89ab"[Math.floor(random() * 4)];
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
}
