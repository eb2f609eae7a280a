import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readKeyring, verifyClearSigned } from "./index.ts";

/** Keys of GnuPG 2.2 without secrets, and a text that each has signed. */
const recorded = JSON.parse(readFileSync(new URL("recorded/signed-texts.json", import.meta.url), "utf8")) as Readonly<
  Record<string, { readonly key: string; readonly message: string }>
>;
const { ed25519, rsa } = recorded;
assert.ok(ed25519 && rsa);
const signedAt = Date.parse("2026-11-16T17:00:00Z");
const text = "apiVersion: v2\nname: demo\nversion: 0.1.0\n\n...\nfiles:\n  demo-0.1.0.tgz: sha256:00\n- dashed line  ";

function outcomeOf(message: string, key: string | Uint8Array, nowMs = signedAt): string {
  try {
    const verified = verifyClearSigned(message, readKeyring(Buffer.from(key)), nowMs);
    assert.equal(verified.text.trimEnd(), text.trimEnd());
    return verified.signedBy.join();
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.equal(error.name, "OpenPgpError", error.stack);
    return error.message.replaceAll(/[0-9A-F]{40}/g, "F");
  }
}

const outcomes: Readonly<Record<string, string>> = {
  rsa: "rsa <rsa@example.com>",
  dsa: "dsa <dsa@example.com>",
  ecdsa: "ecdsa <ecdsa@example.com>",
  ed25519: "ed25519 <ed25519@example.com>",
  owner: "owner <owner@example.com>",
  revoked: "its key is revoked (revoked <revoked@example.com>, F)",
  sha1: "its signature uses a hash that is broken or not known (rsa <rsa@example.com>, F)",
};

test("texts that GnuPG has signed are verified with keys of every kind, and not with keys or hashes that nobody should trust", () => {
  for (const [name, expected] of Object.entries(outcomes))
    assert.equal(outcomeOf(recorded[name]!.message, recorded[name]!.key), expected, name);
  const { message, key } = recorded["expired"]!;
  assert.equal(outcomeOf(message, key), "expired <expired@example.com>");
  assert.equal(outcomeOf(message, key, signedAt + 2 * 86_400_000), "its key has expired (expired <expired@example.com>, F)");
});

test("a text that was changed, signed by somebody else or not signed is refused", () => {
  const { message, key } = ed25519;
  const wrong = "its signature is wrong: the text or the signature was changed (ed25519 <ed25519@example.com>, F)";
  const cases: readonly [string, string, string | RegExp][] = [
    [message.replace("sha256:00", "sha256:01"), key, wrong],
    [message.replace("name: demo", "name: demo "), key, "ed25519 <ed25519@example.com>"],
    [message.replaceAll("\n", "\r\n"), key, "ed25519 <ed25519@example.com>"],
    [message, rsa.key, "it is signed by the key F, which is not in the keyring"],
    [message.replace("Hash: SHA512", "Hash: SHA512\nname: other"), key, "it has headers that are not signed"],
    ["name: demo", key, "it is no clear-signed text"],
    [message.replace(/-----BEGIN PGP SIGNATURE[^]*/, ""), key, "it is no clear-signed text"],
    [message.replace(/\n\n[\w+/=\n]+-----END/, "\n\n-----END"), key, "it has no signature that is known here"],
    [message, "keys", "it has no OpenPGP keys: export them with gpg --export"],
    [message, "........KBXf", /^it is a keybox of GnuPG/],
  ];
  for (const [changed, ring, expected] of cases) {
    const found = outcomeOf(changed, ring);
    if (typeof expected === "string") assert.equal(found, expected, changed);
    else assert.match(found, expected);
  }
});

test("whatever else is in a keyring or a signature, it is refused and nothing breaks", () => {
  const [, body = ""] = /\n\n([\w+/=\n]+)-----END PGP SIGNATURE/.exec(ed25519.message) ?? [];
  const bytes = Buffer.from(body.split("\n=")[0]!.replaceAll("\n", ""), "base64");
  const ring = Buffer.from(ed25519.key);
  for (let at = 0; at < bytes.length; at++) {
    const broken = Buffer.from(bytes);
    broken[at]! ^= 1 + (at % 255);
    const message = ed25519.message.replace(body, `${broken.toString("base64")}\n`);
    // What is not hashed may change: it only helps to find the key.
    outcomeOf(message, ring);
    outcomeOf(ed25519.message.replace(body, `${bytes.subarray(0, at).toString("base64")}\n`), ring);
  }
});
