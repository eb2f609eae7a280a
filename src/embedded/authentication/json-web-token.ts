import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from "node:crypto";
import { isFields, type Fields } from "../../core/object/index.ts";

type SigningKey = { readonly private: KeyObject; readonly public: KeyObject; readonly id: string };

/** Signs and verifies JSON Web Tokens with one EC P-256 key (ES256). The key is made or read when it is first needed. */
export class JsonWebTokens {
  readonly #pem: string | undefined;
  #key: SigningKey | undefined;

  /** `pem` is a private key. Default: a new one. */
  constructor(pem?: string) {
    this.#pem = pem;
  }

  sign(claims: Fields): string {
    const { private: key, id } = this.#keys();
    const head = `${encoded({ alg: "ES256", kid: id })}.${encoded(claims)}`;
    const signature = sign("sha256", Buffer.from(head), { key, dsaEncoding: "ieee-p1363" });
    return `${head}.${signature.toString("base64url")}`;
  }

  /** The claims of a token; undefined for what is no token of these issuers, and a message for one that this key did not sign. */
  verify(token: string, issuers: readonly unknown[]): Fields | string | undefined {
    const [head = "", claims = "", signature = "", ...more] = token.split(".");
    const header = decoded(head);
    const content = decoded(claims);
    if (more.length > 0 || header === undefined || content === undefined || !issuers.includes(content["iss"])) return undefined;
    const { public: key, id } = this.#keys();
    if ((header["kid"] ?? id) !== id) return "invalid signature, no keys found";
    const isGenuine =
      header["alg"] === "ES256" &&
      verify("sha256", Buffer.from(`${head}.${claims}`), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
    return isGenuine ? content : "go-jose/go-jose: error in cryptographic primitive";
  }

  #keys(): SigningKey {
    if (this.#key !== undefined) return this.#key;
    const privateKey =
      this.#pem === undefined ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : createPrivateKey(this.#pem);
    const publicKey = createPublicKey(privateKey);
    // Models pkg/serviceaccount/jwt.go keyIDFromPublicKey
    const id = createHash("sha256")
      .update(publicKey.export({ type: "spki", format: "der" }))
      .digest("base64url");
    return (this.#key = { private: privateKey, public: publicKey, id });
  }
}

function encoded(value: Fields): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decoded(part: string): Fields | undefined {
  if (!/^[\w-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isFields(value) ? value : undefined;
  } catch {
    return undefined; // no JSON: some other kind of token
  }
}
