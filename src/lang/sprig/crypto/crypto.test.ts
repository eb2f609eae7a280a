import assert from "node:assert/strict";
import { X509Certificate, createPrivateKey, createPublicKey } from "node:crypto";
import test from "node:test";
import { GoError, GoList, GoStruct, int, anyList, types, type FunctionTable, type GoValue } from "../../template/index.ts";
import { sprigFunctions } from "../index.ts";
import { bcrypt } from "./bcrypt.ts";

let seed = 0;
const functions: FunctionTable = sprigFunctions({
  now: () => Date.parse("2026-01-02T03:04:05Z"),
  randomBytes: (count) => Uint8Array.from({ length: count }, () => (seed = (seed * 75 + 74) % 65_537) & 0xff),
});

function call(name: string, ...parameters: GoValue[]): GoValue {
  const { call: implementation } = functions[name]!;
  return (implementation as (...given: GoValue[]) => GoValue)(...parameters);
}

function pairOf(value: GoValue): { cert: string; key: string } {
  assert.ok(value instanceof GoStruct);
  return { cert: String(value.field("Cert")), key: String(value.field("Key")) };
}

const none = new GoList(types.anyList, []);

// From the tests of golang.org/x/crypto/bcrypt.
test("bcrypt hashes as Go does", () => {
  const salt = Buffer.from("6569248a442b8d91c75b5f21ea1a8e40", "hex");
  const made = bcrypt("allmine", saltOf("XajjQvNhvvRt5GSeFk1xFe"));
  assert.equal(made, "$2a$10$XajjQvNhvvRt5GSeFk1xFeyqRrsxkhBkUiQeg0dt.wU1qD4aFDcga");
  assert.throws(() => bcrypt("a".repeat(73), salt), { message: "bcrypt: password length exceeds 72 bytes" });
  assert.throws(() => bcrypt("\udcff", salt), { message: "bcrypt: password is not valid UTF-8" });
});

function saltOf(text: string): Buffer {
  const own = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return Buffer.from(Array.from(text, (character) => standard[own.indexOf(character)]).join(""), "base64");
}

test("an authority, and what it signs", () => {
  const authority = call("genCA", "my-ca", int(365));
  const signed = pairOf(
    call("genSignedCert", "web", anyList(["10.0.0.1", "::1"]), anyList(["web.example", "*.web"]), int(30), authority as GoStruct),
  );
  const { cert, key } = pairOf(authority);
  const [root, leaf] = [new X509Certificate(cert), new X509Certificate(signed.cert)];
  assert.equal(root.ca, true);
  assert.equal(leaf.ca, false);
  assert.equal(root.subject, "CN=my-ca");
  assert.ok(leaf.checkIssued(root));
  assert.ok(leaf.verify(root.publicKey));
  assert.ok(root.verify(root.publicKey));
  assert.ok(leaf.checkPrivateKey(createPrivateKey(signed.key)));
  assert.ok(root.checkPrivateKey(createPrivateKey(key)));
  assert.equal(leaf.subjectAltName, "DNS:web.example, DNS:*.web, IP Address:10.0.0.1, IP Address:0:0:0:0:0:0:0:1");
  assert.equal(leaf.validFrom, "Jan  2 03:04:05 2026 GMT");
  assert.equal(leaf.validTo, "Feb  1 03:04:05 2026 GMT");
  assert.deepEqual(leaf.keyUsage, ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
  assert.match(key, /^-----BEGIN RSA PRIVATE KEY-----\n/);
});

for (const type of ["ecdsa", "ed25519", "rsa"]) {
  test(`certificates with a given ${type} key`, () => {
    const pem = call("genPrivateKey", type);
    const authority = call("genCAWithKey", "ca", int(1), pem);
    const { cert } = pairOf(authority);
    const leaf = pairOf(call("genSignedCertWithKey", "x", none, none, int(1), authority, pem));
    const root = new X509Certificate(cert);
    assert.ok(root.verify(createPublicKey(String(pem))));
    assert.ok(new X509Certificate(leaf.cert).verify(root.publicKey));
    assert.equal(leaf.key, pem);
  });
}

test("a DSA key is in OpenSSL's form, and cannot sign", () => {
  const pem = String(call("genPrivateKey", "dsa"));
  assert.match(pem, /^-----BEGIN DSA PRIVATE KEY-----\n/);
  assert.equal(createPrivateKey(pem).asymmetricKeyType, "dsa");
  assert.throws(() => call("genCAWithKey", "ca", int(1), pem), GoError);
});

test("buildCustomCert validates the certificate and the key", () => {
  const { cert, key } = pairOf(call("genSelfSignedCert", "x", none, none, int(1)));
  const encoded = [cert, key].map((text) => Buffer.from(text).toString("base64"));
  assert.deepEqual(pairOf(call("buildCustomCert", ...encoded)), { cert, key });
  assert.throws(() => call("buildCustomCert", encoded[1]!, encoded[1]!), /error parsing certificate/);
});

test("a key that does not match the authority is rejected", () => {
  const [one, other] = [pairOf(call("genCA", "a", int(1))), pairOf(call("genCA", "b", int(1)))];
  const mixed = new GoStruct((call("genCA", "c", int(1)) as GoStruct).type, { Cert: one.cert, Key: other.key });
  assert.throws(() => call("genSignedCert", "x", none, none, int(1), mixed), /provided PrivateKey doesn't match parent's PublicKey/);
});

test("encryption round-trips", () => {
  const encrypted = call("encryptAES", "secret", "héllo");
  assert.notEqual(encrypted, "héllo");
  assert.equal(call("decryptAES", "secret", encrypted), "héllo");
});

test("randomness comes from the environment", () => {
  assert.match(String(call("uuidv4")), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.match(String(call("randAlphaNum", int(40))), /^[A-Za-z0-9]{40}$/);
  assert.match(String(call("randNumeric", int(8))), /^[0-9]{8}$/);
  assert.equal([...String(call("shuffle", "abcé"))].toSorted().join(""), "abcé");
  const zeros = sprigFunctions({ now: () => 0, randomBytes: (count) => new Uint8Array(count) });
  assert.equal((zeros["randAlpha"]!.call as (count: GoValue) => GoValue)(int(3)), "AAA");
});
