import { hash } from "node:crypto";
import { toBytes } from "../../template/index.ts";

export function hexDigest(algorithm: "sha1" | "sha256" | "sha512", text: string): string {
  return hash(algorithm, toBytes(text), "hex");
}

const largestPrime = 65_521;

/** Adler-32, in decimal. */
export function adler32(text: string): string {
  let [low, high] = [1, 0];
  for (const byte of toBytes(text)) {
    low = (low + byte) % largestPrime;
    high = (high + low) % largestPrime;
  }
  return String(high * 65_536 + low);
}
