import { createHmac, scryptSync } from "node:crypto";
import { toBytes } from "../../template/index.ts";

/** The Master Password algorithm: derives the same password for a site every time. */

const seedName = "com.lyndir.masterpassword";

const shapes: ReadonlyMap<string, readonly string[]> = new Map([
  ["maximum", ["anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"]],
  [
    "long",
    (
      "CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv " +
      "CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv " +
      "CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno"
    ).split(" "),
  ],
  ["medium", ["CvcnoCvc", "CvcCvcno"]],
  ["short", ["Cvcn"]],
  ["basic", ["aaanaaan", "aannaaan", "aaannaaa"]],
  ["pin", ["nnnn"]],
]);

const letters = "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz";
const characters: ReadonlyMap<string, string> = new Map([
  ["V", "AEIOU"],
  ["C", "BCDFGHJKLMNPQRSTVWXYZ"],
  ["v", "aeiou"],
  ["c", "bcdfghjklmnpqrstvwxyz"],
  ["A", "AEIOUBCDFGHJKLMNPQRSTVWXYZ"],
  ["a", letters],
  ["n", "0123456789"],
  ["o", "@&%?,=[]_:-+*$#!'^~;()/."],
  ["x", `${letters}0123456789!@#$%^&*()`],
]);

type PasswordRequest = {
  readonly counter: number;
  readonly shape: string;
  readonly password: string;
  readonly user: string;
  readonly site: string;
};

export function derivedPassword({ counter, shape, password, user, site }: PasswordRequest): string {
  const candidates = shapes.get(shape);
  if (candidates === undefined) return `cannot find password template ${shape}`;
  const salt = Buffer.concat([Buffer.from(seedName), counted(user)]);
  const key = scryptSync(toBytes(password), salt, 64, { N: 32_768, r: 8, p: 2, maxmem: 2 ** 27 });
  const seed = createHmac("sha256", key)
    .update(Buffer.concat([Buffer.from(seedName), counted(site), wordBytes(counter)]))
    .digest();
  const chosen = candidates[seed[0]! % candidates.length]!;
  return Array.from(chosen, (kind, index) => {
    const choice = characters.get(kind) ?? "";
    return choice[seed[index + 1]! % choice.length];
  }).join("");
}

function counted(text: string): Buffer {
  const bytes = toBytes(text);
  return Buffer.concat([wordBytes(bytes.length), bytes]);
}

function wordBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
