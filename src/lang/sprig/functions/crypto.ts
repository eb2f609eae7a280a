import { chargeTime } from "../../../core/cost/index.ts";
import {
  GoList,
  GoStruct,
  fromBytes,
  goFunction,
  namedType,
  structType,
  types,
  type FunctionTable,
  type GoFunction,
  type ReflectType,
  type Integer,
  type GoValue,
  sprintValue,
} from "../../template/index.ts";
import { decryptAes, encryptAes } from "../crypto/aes.ts";
import { bcrypt } from "../crypto/bcrypt.ts";
import {
  prefixErrors,
  readCertificate,
  selfSigned,
  signedBy,
  type CertificateTemplate,
  type CertificateAndKey,
} from "../crypto/certificate.ts";
import { newKeyPem, newRsaKey, parsePrivateKey, type PrivateKey } from "../crypto/key.ts";
import { derivedPassword } from "../crypto/password.ts";
import { asGoError, panic } from "../panic.ts";
import type { Environment } from "../environment.ts";
import { addressBytes } from "../text/address.ts";
import { decode64 } from "../text/base-encoding.ts";

/** The result type of the certificate functions. */
export const certificateType: ReflectType = namedType("sprig.certificate", structType({ Cert: types.string, Key: types.string }));
export const certificateScope: Readonly<Record<string, ReflectType>> = { "sprig.certificate": certificateType };

const result = "(sprig.certificate, error)";
const subject = "string, []interface {}, []interface {}, int";

/** Passwords, keys, certificates and encryption. */
export function cryptoFunctions(environment: Environment): FunctionTable {
  const { randomBytes } = environment;
  const hashed = (password: string) => {
    chargeTime(costOf.hash);
    try {
      return bcrypt(password, randomBytes(16));
    } catch (error) {
      return `failed to encrypt string with bcrypt: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  return {
    bcrypt: goFunction("func(string) string", hashed),
    htpasswd: goFunction("func(string, string) string", (user: string, password: string) =>
      user.includes(":") ? `invalid username: ${user}` : `${user}:${hashed(password)}`,
    ),
    derivePassword: goFunction(
      "func(uint32, string, string, string, string) string",
      (counter: Integer, shape: string, password: string, user: string, site: string) =>
        chargedPassword({ counter: Number(counter.value), shape, password, user, site }),
    ),
    genPrivateKey: goFunction("func(string) string", (type: string) => {
      // A key of 4096 bits is sought eight times as long as one of 2048.
      chargeTime(type === "" || type === "rsa" || type === "dsa" ? 4 * costOf.key : costOf.signature);
      return newKeyPem(type);
    }),
    encryptAES: goFunction("func(string, string) (string, error)", (password: string, text: string) =>
      text === "" ? "" : encryptAes(password, text, randomBytes(16)),
    ),
    decryptAES: goFunction("func(string, string) (string, error)", (password: string, encrypted: string) =>
      encrypted === "" ? "" : asGoError(() => decryptAes(password, encrypted)),
    ),
    ...certificateFunctions(environment),
  };
}

/** What slow functions take: a unit stands for some 20 ns. */
const costOf = { hash: 2 ** 22, key: 2 ** 23, derivation: 2 ** 24, signature: 2 ** 18 } as const;

function chargedPassword(request: Parameters<typeof derivedPassword>[0]): string {
  chargeTime(costOf.derivation);
  return derivedPassword(request);
}

function certificateFunctions(environment: Environment): FunctionTable {
  const template = (name: string, addresses: GoList, names: GoList, days: Integer, isAuthority = false) =>
    certificateTemplateOf({ name, addresses, names, days: Number(days.value), isAuthority }, environment);
  const none = new GoList(types.anyList, []);
  return {
    buildCustomCert: make("string, string", customCertificate),
    genCA: make("string, int", (name: string, days: Integer) => {
      const key = chargedKey();
      return selfSigned(template(name, none, none, days, true), key);
    }),
    genCAWithKey: make("string, int, string", (name: string, days: Integer, pem: string) => {
      const key = givenKey(pem);
      return selfSigned(template(name, none, none, days, true), key);
    }),
    genSelfSignedCert: make(subject, (name: string, addresses: GoList, names: GoList, days: Integer) =>
      selfSigned(template(name, addresses, names, days), chargedKey()),
    ),
    genSelfSignedCertWithKey: make(`${subject}, string`, (name: string, addresses: GoList, names: GoList, days: Integer, pem: string) => {
      const key = givenKey(pem);
      return selfSigned(template(name, addresses, names, days), key);
    }),
    genSignedCert: make(
      `${subject}, sprig.certificate`,
      (name: string, addresses: GoList, names: GoList, days: Integer, authority: GoStruct) =>
        signedBy(certificateIn(authority), template(name, addresses, names, days), chargedKey()),
    ),
    genSignedCertWithKey: make(
      `${subject}, sprig.certificate, string`,
      (name: string, addresses: GoList, names: GoList, days: Integer, authority: GoStruct, pem: string) => {
        const key = givenKey(pem);
        return signedBy(certificateIn(authority), template(name, addresses, names, days), key);
      },
    ),
  };
}

/** Declares a function that returns a certificate. */
function make(parameters: string, call: (...parameters: never[]) => CertificateAndKey): GoFunction {
  const checked = (...given: never[]) => {
    chargeTime(costOf.signature);
    return structOf(asGoError(() => call(...given)));
  };
  return goFunction(`func(${parameters}) ${result}`, checked, certificateScope);
}

function chargedKey(): PrivateKey {
  chargeTime(costOf.key);
  return newRsaKey(2048);
}

function givenKey(pem: string): PrivateKey {
  return prefixErrors("parsing private key", () => parsePrivateKey(pem));
}

function structOf({ cert, key }: CertificateAndKey): GoStruct {
  return new GoStruct(certificateType, { Cert: cert, Key: key });
}

function certificateIn(struct: GoStruct): CertificateAndKey {
  return { cert: String(struct.field("Cert")), key: String(struct.field("Key")) };
}

function customCertificate(encodedCertificate: string, encodedKey: string): CertificateAndKey {
  const cert = decoded(encodedCertificate, "certificate");
  const key = decoded(encodedKey, "private key");
  readCertificate(cert, "decodedCert");
  prefixErrors("error parsing private key", () => parsePrivateKey(key));
  return { cert, key };
}

function decoded(text: string, what: string): string {
  try {
    return fromBytes(decode64(text));
  } catch {
    // Sprig hides the cause.
    return panic(`unable to decode base64 ${what}`);
  }
}

type CertificateRequest = {
  readonly name: string;
  readonly addresses: GoList;
  readonly names: GoList;
  readonly days: number;
  readonly isAuthority: boolean;
};

function certificateTemplateOf(
  { name, addresses, names, days, isAuthority }: CertificateRequest,
  { now, randomBytes }: Environment,
): CertificateTemplate {
  const start = now();
  return {
    commonName: name,
    addresses: addresses.items.map(addressIn),
    names: names.items.map(nameIn),
    notBefore: new Date(start),
    notAfter: new Date(start + days * 86_400_000),
    isAuthority,
    serial: randomBytes(16),
  };
}

function addressIn(value: GoValue): Uint8Array {
  if (typeof value !== "string") return panic(`error parsing ip: ${sprintValue(value)} is not a string`);
  return addressBytes(value) ?? panic(`error parsing ip: ${value}`);
}

function nameIn(value: GoValue): string {
  return typeof value === "string" ? value : panic(`error processing alternate dns name: ${sprintValue(value)} is not a string`);
}
