import { Blowfish } from "./blowfish.ts";

const cost = 10;
const longestPassword = 72;
const alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const secret = "OrpheanBeholderScryDoubt";

/** Hashes a password with a salt of 16 bytes, at cost 10: `$2a$10$…`. Throws in Go's words where it is too long. */
export function bcrypt(password: Uint8Array, salt: Uint8Array): string {
  if (password.length > longestPassword) throw new Error("bcrypt: password length exceeds 72 bytes");
  const key = Uint8Array.from([...password, 0]);
  const cipher = new Blowfish();
  cipher.expand(key, salt);
  for (let round = 0; round < 2 ** cost; round++) {
    cipher.expand(key);
    cipher.expand(salt);
  }
  return `$2a$${cost}$${encoded(salt)}${encoded(digest(cipher))}`;
}

/** The last byte of the encrypted text is left out, as it was in the first implementation. */
function digest(cipher: Blowfish): Uint8Array {
  const text = Buffer.from(secret, "ascii");
  for (let at = 0; at < text.length; at += 8) {
    const halves = Uint32Array.of(text.readUInt32BE(at), text.readUInt32BE(at + 4));
    for (let round = 0; round < 64; round++) cipher.encrypt(halves);
    text.writeUInt32BE(halves[0]!, at);
    text.writeUInt32BE(halves[1]!, at + 4);
  }
  return text.subarray(0, 23);
}

/** Base64 with an alphabet of its own and no padding. */
function encoded(bytes: Uint8Array): string {
  const standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return Array.from(Buffer.from(bytes).toString("base64").replaceAll("=", ""), (character) => alphabet[standard.indexOf(character)]).join(
    "",
  );
}
