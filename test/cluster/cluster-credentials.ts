import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  issueCertificate,
  createCertificateAuthority,
  type CertificateSubject,
  type CertificateKeyPair,
} from "../../src/lang/x509/index.ts";

/** The certificates and keys of one cluster. */
export type ClusterCredentials = {
  readonly authority: CertificateKeyPair;
  /** The serving certificate of the API server. */
  readonly apiserver: CertificateKeyPair;
  /** The client certificate of the API server for kubelets. */
  readonly apiserverToKubelet: CertificateKeyPair;
  readonly kubelet: CertificateKeyPair;
  readonly admin: CertificateKeyPair;
  /** Signs service account tokens. */
  readonly tokens: { readonly publicKey: string; readonly key: string };
};

const dayMs = 86_400_000;
const clusterNames = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"];

/** Certificates are valid from a day before `now` to a year after. */
export function makeCredentials(name: string, now: number): ClusterCredentials {
  const validity = { notBefore: new Date(now - dayMs), notAfter: new Date(now + 365 * dayMs) };
  const authority = createCertificateAuthority(`${name}-ca`, validity);
  const issue = (subject: CertificateSubject) => issueCertificate(authority, subject, validity);
  return {
    authority,
    apiserver: issue({ commonName: "kube-apiserver", hosts: ["127.0.0.1", "10.0.0.1", ...clusterNames], usages: ["server"] }),
    apiserverToKubelet: issue({ commonName: "kube-apiserver-kubelet-client", organizations: ["system:masters"], usages: ["client"] }),
    kubelet: issue({ commonName: "system:node:sluice", organizations: ["system:nodes"], hosts: ["127.0.0.1"], usages: ["server"] }),
    admin: issue({ commonName: "admin", organizations: ["system:masters"], usages: ["client"] }),
    tokens: tokenKeys(),
  };
}

function tokenKeys(): ClusterCredentials["tokens"] {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Writes the files that the control plane reads; only their owner can read them. */
export function writeCredentials(folder: string, { authority, apiserver, apiserverToKubelet, tokens }: ClusterCredentials): void {
  const files = {
    "ca.crt": authority.certificate,
    "ca.key": authority.key,
    "apiserver.crt": apiserver.certificate,
    "apiserver.key": apiserver.key,
    "kubelet-client.crt": apiserverToKubelet.certificate,
    "kubelet-client.key": apiserverToKubelet.key,
    "tokens.pub": tokens.publicKey,
    "tokens.key": tokens.key,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
}

const encoded = (text: string) => Buffer.from(text).toString("base64");

/** A kubeconfig of one context, as JSON. */
export function kubeconfigFor(name: string, server: string, { authority, admin }: ClusterCredentials): string {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": encoded(authority.certificate) } }],
    users: [{ name, user: { "client-certificate-data": encoded(admin.certificate), "client-key-data": encoded(admin.key) } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
