import type * as Bcryptjs from "bcryptjs";
import { byteLength } from "../../template/index.ts";
import { loadBcryptjs } from "./load-bcryptjs.ts";

const cost = 10;
const longestPassword = 72;

/** Loaded with the first password, because the library costs start-up time and few charts hash one. */
let library: typeof Bcryptjs | undefined;

/** Hashes a password with a salt of 16 bytes, at cost 10: `$2a$10$…`. Throws with Go's message if the password is too long. */
export function bcrypt(password: string, salt: Uint8Array): string {
  if (byteLength(password) > longestPassword) throw new Error("bcrypt: password length exceeds 72 bytes");
  // The library takes text, so it would hash other bytes than Go.
  if (!password.isWellFormed()) throw new Error("bcrypt: password is not valid UTF-8");
  library ??= loadBcryptjs();
  return library.hashSync(password, `$2a$${cost}$${library.encodeBase64(salt, salt.length)}`);
}
