import { hash } from "node:crypto";
import { toBytes } from "../../template/index.ts";

export function hexDigest(algorithm: "sha1" | "sha256" | "sha512", text: string): string {
  return hash(algorithm, toBytes(text), "hex");
}

const largestPrime = 65_521;

/** Adler-32, in decimal. */
export function adler32(text: string): string {
  let [low, high] = [1, 0];
  const bytes = toBytes(text);
  // So many sums are below 2^53.
  const block = 4096;
  for (let from = 0; from < bytes.length; from += block) {
    const end = Math.min(from + block, bytes.length);
    for (let at = from; at < end; at++) {
      low += bytes[at]!;
      high += low;
    }
    low %= largestPrime;
    high %= largestPrime;
  }
  return String(high * 65_536 + low);
}
