import { createCipheriv, createDecipheriv } from "node:crypto";
import { fromBytes, toBytes } from "../../template/index.ts";
import { decode64 } from "../text/base-encoding.ts";

const blockSize = 16;

/** The first 32 bytes of the password, padded with zeros. */
function keyOf(password: string): Buffer {
  const key = Buffer.alloc(32);
  key.set(toBytes(password).subarray(0, 32));
  return key;
}

/** AES-256-CBC as base64, with the initialization vector in front. */
export function encryptAes(password: string, text: string, vector: Uint8Array): string {
  const cipher = createCipheriv("aes-256-cbc", keyOf(password), vector);
  return Buffer.concat([vector, cipher.update(toBytes(text)), cipher.final()]).toString("base64");
}

/** Reverses `encryptAes`. Throws with the messages of Go's panics. */
export function decryptAes(password: string, encoded: string): string {
  const encrypted = decode64(encoded);
  if (encrypted.length < blockSize)
    throw new Error(`runtime error: slice bounds out of range [:${blockSize}] with capacity ${Math.floor(encoded.length / 4) * 3}`);
  const body = encrypted.subarray(blockSize);
  if (body.length % blockSize !== 0) throw new Error("crypto/cipher: input not full blocks");
  if (body.length === 0) throw new Error("runtime error: index out of range [-1]");
  const cipher = createDecipheriv("aes-256-cbc", keyOf(password), encrypted.subarray(0, blockSize));
  cipher.setAutoPadding(false);
  const plain = Buffer.concat([cipher.update(body), cipher.final()]);
  const end = plain.length - plain.at(-1)!;
  if (end < 0) throw new Error(`runtime error: slice bounds out of range [:${end}]`);
  return fromBytes(plain.subarray(0, end));
}
