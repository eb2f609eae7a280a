import { GoStruct, goFunction, type FunctionTable, type Integer } from "../../../lang/template/index.ts";
import { certificateScope, certificateType, goTimeAt, timeScope, timeValue, utc } from "../../../lang/sprig/index.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const moment = goTimeAt(Date.parse("2024-01-02T03:04:05Z"), utc);
const subject = "string, []interface {}, []interface {}, int";

/** Deterministic replacements for the random functions, so that two renderings of a chart can be compared. */
export const deterministicFunctions: FunctionTable = {
  randAlphaNum: cycling(letters),
  randAlpha: cycling(letters),
  randAscii: cycling(letters),
  randNumeric: cycling("0123456789"),
  randBytes: goFunction("func(int) (string, error)", ({ value }: Integer) => Buffer.alloc(Math.max(Number(value), 0)).toString("base64")),
  randInt: goFunction("func(int, int) int", (least: Integer) => least),
  uuidv4: goFunction("func() string", () => "00000000-0000-4000-8000-000000000000"),
  shuffle: goFunction("func(string) string", (text: string) => text),
  bcrypt: goFunction("func(string) string", () => "$2a$10$STUB"),
  htpasswd: goFunction("func(string, string) string", (user: string) => `${user}:$2a$10$STUB`),
  now: goFunction("func() time.Time", () => timeValue(moment), timeScope),
  genPrivateKey: goFunction("func(string) string", (type: string) => `PRIVATE-KEY-${type}`),
  encryptAES: goFunction("func(string, string) (string, error)", (_: string, text: string) => `AES(${text})`),
  buildCustomCert: certificate("buildCustomCert", "string, string"),
  genCA: certificate("genCA", "string, int"),
  genCAWithKey: certificate("genCAWithKey", "string, int, string"),
  genSelfSignedCert: certificate("genSelfSignedCert", subject),
  genSelfSignedCertWithKey: certificate("genSelfSignedCertWithKey", `${subject}, string`),
  genSignedCert: certificate("genSignedCert", `${subject}, sprig.certificate`),
  genSignedCertWithKey: certificate("genSignedCertWithKey", `${subject}, sprig.certificate, string`),
};

function cycling(alphabet: string) {
  return goFunction("func(int) string", ({ value }: Integer) =>
    Array.from({ length: Math.max(Number(value), 0) }, (_, index) => alphabet[index % alphabet.length]).join(""),
  );
}

function certificate(name: string, parameters: string) {
  const made = new GoStruct(certificateType, { Cert: `CERT-${name}`, Key: `KEY-${name}` });
  return goFunction(`func(${parameters}) (sprig.certificate, error)`, () => made, certificateScope);
}
