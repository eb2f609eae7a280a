import type { CertificateRequest } from "../../../lang/x509/index.ts";

// Models pkg/apis/certificates/helpers.go

const nodes = "system:nodes";

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === nodes;
}

/** The usages with a key that encrypts, or without. */
function fits(usages: readonly string[], auth: string): boolean {
  const needed = ["digital signature", auth];
  const given = new Set(usages);
  return needed.every((usage) => given.delete(usage)) && (given.size === 0 || (given.size === 1 && given.has("key encipherment")));
}

function unfitUsages(auth: string): string {
  return `usages did not match [${["digital signature", "key encipherment", auth].toSorted().join(" ")}]`;
}

const wrongName = "subject common name does not begin with system:node:";

/** Why a request is none of a kubelet as a client; undefined when it is one. */
export function objectionToKubeletClient(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dns, email, ip, uri } = request.alternativeNames;
  if (!isOfNodes(request)) return `subject organization is not ${nodes}`;
  if (dns > 0) return "DNS subjectAltNames are not allowed";
  if (email > 0) return "Email subjectAltNames are not allowed";
  if (ip > 0) return "IP subjectAltNames are not allowed";
  if (uri > 0) return "URI subjectAltNames are not allowed";
  if (!request.commonName.startsWith("system:node:")) return wrongName;
  return fits(usages, "client auth") ? undefined : unfitUsages("client auth");
}

/** Why a request is none of a kubelet as a server; undefined when it is one. */
export function objectionToKubeletServing(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dns, email, ip, uri } = request.alternativeNames;
  if (!isOfNodes(request)) return `subject organization is not ${nodes}`;
  if (dns === 0 && ip === 0) return "DNS or IP subjectAltName is required";
  if (email > 0) return "Email subjectAltNames are not allowed";
  if (uri > 0) return "URI subjectAltNames are not allowed";
  if (!fits(usages, "server auth")) return unfitUsages("server auth");
  return request.commonName.startsWith("system:node:") ? undefined : wrongName;
}

/** Why a request is none of a client of the API server; undefined when it is one. */
export function objectionToClient(_request: CertificateRequest, usages: readonly string[]): string | undefined {
  const odd = usages.find((usage) => !["digital signature", "key encipherment", "client auth"].includes(usage));
  if (odd !== undefined) return `invalid usage for client certificate: ${odd}`;
  return usages.includes("client auth") ? undefined : "missing required usage for client certificate: client auth";
}
