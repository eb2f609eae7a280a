import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { issueCertificate, createCertificateAuthority } from "./index.ts";

const validity = { notBefore: new Date("2025-01-01T00:00:00Z"), notAfter: new Date("2049-12-31T00:00:00Z") };
const authority = createCertificateAuthority("sluice-ca", validity);
const hosts = ["localhost", "kubernetes.default.svc", "127.0.0.1", "::1", "fd00:10::a"];
const server = issueCertificate(authority, { commonName: "kube-apiserver", hosts, usages: ["server"] }, validity);
const admin = { commonName: "admin", organizations: ["system:masters", "ops"], usages: ["client" as const] };
const client = issueCertificate(authority, admin, validity);

function inFolder<T>(files: Record<string, string>, work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "sluice-certificate-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function verify(purpose: string, certificate: string, ...more: string[]): string {
  return inFolder({ "ca.crt": authority.certificate, "leaf.crt": certificate }, (folder) => {
    const options = ["-x509_strict", "-purpose", purpose, "-CAfile", join(folder, "ca.crt"), ...more];
    try {
      return execFileSync("openssl", ["verify", ...options, join(folder, "leaf.crt")], { stdio: ["ignore", "pipe", "pipe"] }).toString();
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr);
    }
  });
}

const verdicts: [string, string, string, string[], RegExp][] = [
  ["a server certificate serves", "sslserver", server.certificate, [], /: OK/],
  ["a server certificate is no client's", "sslclient", server.certificate, [], /unsuitable certificate purpose/],
  ["a client certificate is a client's", "sslclient", client.certificate, [], /: OK/],
  ["a client certificate does not serve", "sslserver", client.certificate, [], /unsuitable certificate purpose/],
  ["a host name is in it", "sslserver", server.certificate, ["-verify_hostname", "kubernetes.default.svc"], /: OK/],
  ["another host name is not", "sslserver", server.certificate, ["-verify_hostname", "example.com"], /[Hh]ostname mismatch/],
  ["an IPv4 address is in it", "sslserver", server.certificate, ["-verify_ip", "127.0.0.1"], /: OK/],
  ["an IPv6 address is in it", "sslserver", server.certificate, ["-verify_ip", "fd00:10::a"], /: OK/],
  ["another address is not", "sslserver", server.certificate, ["-verify_ip", "10.0.0.1"], /IP address mismatch/],
];

for (const [what, purpose, certificate, options, expected] of verdicts) {
  test(`openssl: ${what}`, () => assert.match(verify(purpose, certificate, ...options), expected));
}

test("a subject is user and groups", () => {
  assert.equal(new X509Certificate(client.certificate).subject, "O=system:masters\nO=ops\nCN=admin");
});

test("the authority signed both, and its key fits", () => {
  const issuer = new X509Certificate(authority.certificate);
  for (const { certificate } of [server, client, authority]) {
    const x509 = new X509Certificate(certificate);
    assert.ok(x509.verify(issuer.publicKey) && x509.checkIssued(issuer));
  }
});

test("dates past 2049 are written in full", () => {
  const late = issueCertificate(authority, admin, { ...validity, notAfter: new Date("2051-02-03T04:05:06Z") });
  const { validFrom, validTo } = new X509Certificate(late.certificate);
  assert.deepEqual([validFrom, validTo], ["Jan  1 00:00:00 2025 GMT", "Feb  3 04:05:06 2051 GMT"]);
});

test("serial numbers differ", () => {
  const numbers = [authority, server, client].map(({ certificate }) => new X509Certificate(certificate).serialNumber);
  assert.equal(new Set(numbers).size, 3);
});
