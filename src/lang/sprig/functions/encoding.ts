import { fromBytes, goFunction, type FunctionTable } from "../../template/index.ts";
import { adler32, hexDigest } from "../crypto/digest.ts";
import { CorruptInput, decode32, decode64, encode32, encode64 } from "../text/base-encoding.ts";

/** Encodings and digests. */
export const encodingFunctions: FunctionTable = {
  b64enc: goFunction("func(string) string", encode64),
  b64dec: goFunction("func(string) string", (text: string) => orComplaint(() => fromBytes(decode64(text)))),
  b32enc: goFunction("func(string) string", encode32),
  b32dec: goFunction("func(string) string", (text: string) => orComplaint(() => decode32(text))),
  sha1sum: goFunction("func(string) string", (text: string) => hexDigest("sha1", text)),
  sha256sum: goFunction("func(string) string", (text: string) => hexDigest("sha256", text)),
  sha512sum: goFunction("func(string) string", (text: string) => hexDigest("sha512", text)),
  adler32sum: goFunction("func(string) string", adler32),
};

/** Returns the error message in place of the result, as Sprig does. */
function orComplaint(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof CorruptInput) return error.message;
    throw error;
  }
}
