import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { requestOf } from "../../../../test/conformance/cases/signing-request-texts.ts";
import { VirtualClock } from "../../../core/clock/index.ts";
import { createCertificateAuthority } from "../../../lang/x509/index.ts";
import { startEmbeddedCluster } from "../../index.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const { signal } = new AbortController();
const hourMs = 3_600_000;

function startCluster() {
  const clock = new VirtualClock();
  const validity = { notBefore: new Date(clock.now()), notAfter: new Date(clock.now() + 2000 * 24 * hourMs) };
  const authority = createCertificateAuthority("test", validity);
  const { exchange } = startEmbeddedCluster({ clock, authority });
  const call = async (method: string, at: string, body?: object) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
    const answer = await exchange({ method, path: at, headers: { "content-type": type }, signal, ...sent });
    let text = "";
    for await (const piece of answer.body) text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
    return JSON.parse(text);
  };
  const ask = (name: string, spec: object) =>
    call("POST", path, { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", metadata: { name }, spec });
  const approve = (name: string) =>
    call("PATCH", `${path}/${name}/approval`, {
      status: { conditions: [{ type: "Approved", status: "True", reason: "r", message: "m" }] },
    });
  return { clock, authority, call, ask, approve };
}

const client = { request: requestOf.jane, signerName: "kubernetes.io/kube-apiserver-client", usages: ["client auth", "digital signature"] };

test("an approved request becomes a certificate of the cluster's authority, for as long as was asked for", async () => {
  const { clock, authority, call, ask, approve } = startCluster();
  await ask("jane", { ...client, expirationSeconds: 7200 });
  await ask("long", client);
  await clock.advance(1000);
  assert.deepEqual((await call("GET", `${path}/jane`)).status, {}, "nobody has decided");
  const now = clock.now();
  for (const name of ["jane", "long"]) await approve(name);
  await clock.advance(1000);
  const certificateOf = async (name: string) =>
    new X509Certificate(Buffer.from((await call("GET", `${path}/${name}`)).status.certificate, "base64"));
  const certificate = await certificateOf("jane");
  assert.equal(certificate.subject, "O=devs\nCN=jane");
  assert.ok(certificate.verify(new X509Certificate(authority.certificate).publicKey));
  assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
  const secondsFrom = (time: string) => Math.round((Date.parse(time) - now) / 1000);
  assert.deepEqual([secondsFrom(certificate.validFrom), secondsFrom(certificate.validTo)], [-300, 7200]);
  assert.equal(secondsFrom((await certificateOf("long")).validTo), 365 * 86_400 - 300);
});

test("requests are forgotten an hour after they were decided, and a day after they were made", async () => {
  const { clock, call, ask, approve } = startCluster();
  for (const name of ["approved", "pending"]) await ask(name, client);
  await approve("approved");
  const names = async () => (await call("GET", path)).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  await clock.advance(hourMs - 5000);
  assert.deepEqual(await names(), ["approved", "pending"]);
  await clock.advance(10_000);
  assert.deepEqual(await names(), ["pending"]);
  await clock.advance(23 * hourMs);
  assert.deepEqual(await names(), []);
});

test("a certificate of a kubelet has the names that it asked for", async () => {
  const { clock, call, ask, approve } = startCluster();
  const usages = ["digital signature", "server auth"];
  await ask("serving", { request: requestOf.serving, signerName: "kubernetes.io/kubelet-serving", usages });
  await approve("serving");
  await clock.advance(1000);
  const { status } = await call("GET", `${path}/serving`);
  assert.equal(new X509Certificate(Buffer.from(status.certificate, "base64")).subjectAltName, "DNS:n1, IP Address:10.1.2.3");
});
